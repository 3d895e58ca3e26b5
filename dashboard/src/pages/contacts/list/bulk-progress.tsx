import type { ReactNode } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { countText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import type { Work } from './bulk-job.ts';

/** The progress of a bulk job and why it stopped. Renders nothing before the job starts. */
export const WorkState = ({ work, label }: { readonly work: Work; readonly label: string }) =>
  work.phase !== 'waiting' && (
    <div className="flex flex-col gap-3">
      <ProgressBar label={label} value={work.done} max={work.total} />
      {work.phase === 'stopped' && (
        <Notice tone="warn">
          Stopped after {countText(work.done, 'contact')}. Those changes are kept;{' '}
          {countText(Math.max(0, work.total - work.done), 'contact')} left unchanged.
        </Notice>
      )}
      {work.phase === 'failed' && <Notice tone="danger">{errorMessage(work.error)}</Notice>}
    </div>
  );

/** The buttons of a bulk action dialog; `begin` is the button that starts the job. */
export const WorkButtons = ({
  work,
  begin,
  onRun,
  onClose,
}: {
  readonly work: Work;
  readonly begin: ReactNode;
  readonly onRun: () => void;
  readonly onClose: () => void;
}) => {
  if (work.phase === 'working') return <Button onClick={work.stop}>Stop</Button>;
  if (work.phase === 'finished') return <Button onClick={onClose}>Close</Button>;
  return (
    <>
      <Button onClick={onClose}>{work.phase === 'waiting' ? 'Cancel' : 'Close'}</Button>
      {work.phase === 'waiting' ? (
        begin
      ) : (
        <Button look="primary" onClick={onRun}>
          {work.phase === 'failed' ? 'Try again' : 'Continue'}
        </Button>
      )}
    </>
  );
};
