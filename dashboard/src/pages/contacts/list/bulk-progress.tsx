import type { ReactNode } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { countText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import type { BulkJob } from './bulk-job.ts';

/** The progress of a bulk job and why it stopped. Renders nothing before the job starts. */
export const BulkProgress = ({ job, label }: { readonly job: BulkJob; readonly label: string }) =>
  job.phase !== 'idle' && (
    <div className="flex flex-col gap-3">
      <ProgressBar label={label} value={job.done} max={job.total} />
      {job.phase === 'stopped' && (
        <Notice tone="warn">
          Stopped after {countText(job.done, 'contact')}. Those changes are kept;{' '}
          {countText(Math.max(0, job.total - job.done), 'contact')} left unchanged.
        </Notice>
      )}
      {job.phase === 'failed' && <Notice tone="danger">{errorMessage(job.error)}</Notice>}
    </div>
  );

/** The buttons of a bulk action dialog; `begin` is the button that starts the job. */
export const BulkButtons = ({
  job,
  begin,
  onRun,
  onClose,
}: {
  readonly job: BulkJob;
  readonly begin: ReactNode;
  readonly onRun: () => void;
  readonly onClose: () => void;
}) => {
  if (job.phase === 'running') return <Button onClick={job.stop}>Stop</Button>;
  if (job.phase === 'finished') return <Button onClick={onClose}>Close</Button>;
  return (
    <>
      <Button onClick={onClose}>{job.phase === 'idle' ? 'Cancel' : 'Close'}</Button>
      {job.phase === 'idle' ? (
        begin
      ) : (
        <Button variant="primary" onClick={onRun}>
          {job.phase === 'failed' ? 'Try again' : 'Continue'}
        </Button>
      )}
    </>
  );
};
