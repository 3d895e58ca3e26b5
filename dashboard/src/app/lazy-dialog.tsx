import { type ComponentType, useEffect, useRef, useState } from 'react';
import { connection } from '../api/connection.ts';
import { loadChunk } from '../api/load-chunk.ts';
import { useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { holdKeys } from './held-keys.ts';

/** The properties of the dialog that `Load` loads. */
export type PropsOf<Load extends () => Promise<{ readonly default: (props: never) => unknown }>> = Parameters<
  Awaited<ReturnType<Load>>['default']
>[0];

/** How long a loaded dialog may take until it has the focus. */
const FOCUS_MS = 1_000;

/** Holds the keys until the dialog has the focus. */
const useHeldKeys = (isLoaded: boolean, onClose: () => void) => {
  const latest = useRef(onClose);
  latest.current = onClose;
  const stop = useRef<() => void>(undefined);
  useEffect(() => {
    stop.current = holdKeys(() => latest.current());
    return stop.current;
  }, []);
  useEffect(() => {
    if (!isLoaded) return;
    const timer = setTimeout(() => stop.current?.(), FOCUS_MS);
    return () => clearTimeout(timer);
  }, [isLoaded]);
};

/** Loads a dialog when it opens. What is typed meanwhile is entered into the dialog. If it cannot be loaded, shows a
 *  message in its place: `React.lazy` would replace the whole page by an error. */
export const LazyDialog = <Props extends { readonly onClose: () => void }>({
  title,
  load,
  props,
}: {
  readonly title: string;
  /** Must be the same function on every render. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  readonly props: Props;
}) => {
  const [Content, setContent] = useState<ComponentType<Props>>();
  const [hasFailed, setFailed] = useState(false);
  const isLost = useStore(connection.isLost);
  useHeldKeys(Content !== undefined, props.onClose);
  useEffect(() => {
    let isMounted = true;
    loadChunk(load).then(
      (module) => isMounted && setContent(() => module.default),
      () => isMounted && setFailed(true),
    );
    return () => {
      isMounted = false;
    };
  }, [load]);
  if (Content) return <Content {...props} />;
  if (!hasFailed && !isLost) return null;
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={title}
      width="small"
      footer={
        <>
          <Button onClick={props.onClose}>{t('Close')}</Button>
          {hasFailed && (
            <Button variant="primary" onClick={() => location.reload()}>
              {t('Reload page')}
            </Button>
          )}
        </>
      }
    >
      <p className="text-sm" role="status">
        {hasFailed
          ? t("This couldn't be loaded. Reload the page and try again.")
          : t("You're offline. This opens as soon as the connection is back.")}
      </p>
    </Dialog>
  );
};
