import { type ComponentType, useEffect, useState } from 'react';
import { connection } from '../api/connection.ts';
import { loadChunk } from '../api/load-chunk.ts';
import { useStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The properties of the dialog that `Load` loads. */
export type PropsOf<Load extends () => Promise<{ readonly default: (props: never) => unknown }>> = Parameters<
  Awaited<ReturnType<Load>>['default']
>[0];

/** Loads a dialog when it opens. If it cannot be loaded, shows a message in its place: `React.lazy` would replace the
 *  whole page by an error. */
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
