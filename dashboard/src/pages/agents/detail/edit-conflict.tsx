import { lazy, Suspense } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import type { Content } from '../version-query.ts';
import { type BaseVersion, contentOf } from './draft.ts';

const VersionDiff = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).VersionDiff,
}));

/** Someone else saved a version during editing: shows both and asks which one to use. */
export const VersionConflict = ({
  typed,
  theirs,
  next,
  busy,
  error,
  onClose,
  onUseTheirs,
  onSave,
}: {
  readonly typed: Content;
  readonly theirs: BaseVersion;
  /** The label that the edited text would be saved as. */
  readonly next: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onUseTheirs: () => void;
  readonly onSave: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    width="large"
    preventDismiss
    title={t('{label} was saved while you were editing', { label: theirs.label })}
    description={t(
      'Use their text and discard yours, or save yours as {next}. {label} stays in the version history either way.',
      { next, label: theirs.label },
    )}
    footer={
      <>
        <Button variant="quiet" disabled={busy} onClick={onClose}>
          {t('Keep editing')}
        </Button>
        <Button disabled={busy} onClick={onUseTheirs}>
          {t('Use {label}, discard mine', { label: theirs.label })}
        </Button>
        <Button variant="primary" busy={busy} onClick={onSave}>
          {t('Save mine as {next}', { next })}
        </Button>
      </>
    }
  >
    <div className="flex flex-col gap-3">
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <VersionDiff
          before={{ label: t('Theirs: {label}', { label: theirs.label }), ...contentOf(theirs) }}
          after={{ label: t('Your version (not saved)'), ...typed }}
        />
      </Suspense>
      {error !== undefined && <Notice tone="danger">{errorMessage(error)}</Notice>}
    </div>
  </Dialog>
);
