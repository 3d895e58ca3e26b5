import { lazy, Suspense } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import type { Ground } from './draft.ts';

const Differences = lazy(() => loadChunk(() => import('./diff.tsx')));

/** Someone else saved a version during editing: shows both texts and asks which one to use. */
export const Conflict = ({
  typed,
  theirs,
  next,
  busy,
  error,
  onClose,
  onTake,
  onSave,
}: {
  readonly typed: string;
  readonly theirs: Ground;
  /** The label that the edited text would be saved as. */
  readonly next: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onTake: () => void;
  readonly onSave: () => void;
}) => (
  <Dialog
    open
    onOpenChange={onClose}
    width="large"
    keep
    title={`${theirs.label} was saved while you were editing`}
    description={`Use their text and discard yours, or save yours as ${next}. ${theirs.label} stays in the version history either way.`}
    footer={
      <>
        <Button look="quiet" disabled={busy} onClick={onClose}>
          Keep editing
        </Button>
        <Button disabled={busy} onClick={onTake}>
          Use {theirs.label}, discard mine
        </Button>
        <Button look="primary" busy={busy} onClick={onSave}>
          Save mine as {next}
        </Button>
      </>
    }
  >
    <div className="flex flex-col gap-3">
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <Differences
          before={{ label: `Theirs: ${theirs.label}`, text: theirs.text }}
          after={{ label: 'Your version (not saved)', text: typed }}
        />
      </Suspense>
      {error !== undefined && <Notice tone="danger">{errorMessage(error)}</Notice>}
    </div>
  </Dialog>
);
