import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { invalidate } from '../../api/query.ts';
import { useStore } from '../../api/store.ts';
import type { BulkJob } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { LazyDialog } from '../lazy-dialog.tsx';
import { useBulkJobs } from './jobs-query.ts';
import { canUndo, isRunning, jobResult, jobTitle, shareOf } from './labels.ts';
import { jobsDialog, startedJobs, undoBulkJob } from './start.ts';

const loadDialog = () => import('./dialog.tsx');

const openJobs = () => jobsDialog.set(true);

/** The first of the running jobs, which is the oldest. */
const runningJob = (jobs: readonly BulkJob[]): BulkJob | undefined => jobs.filter(isRunning).at(-1);

/** The result of a job, with a link to the campaign that it enrolled contacts in, and to the contacts that it could not change. */
const Result = ({ job, campaign }: { readonly job: BulkJob; readonly campaign: string | undefined }) => (
  <>
    {jobResult(job, campaign)}{' '}
    {job.action === 'enroll' && job.campaign_id && (
      <Link to="/campaigns/$id" params={{ id: job.campaign_id }} className="font-medium underline">
        {t('Open campaign')}
      </Link>
    )}
    {job.blocked > 0 && (
      <button type="button" className="font-medium underline" onClick={openJobs}>
        {t('Show details')}
      </button>
    )}
  </>
);

const report = (job: BulkJob) => {
  const { campaignName, onEnd } = startedJobs.get(job.id) ?? {};
  onEnd?.();
  if (onEnd && job.status === 'done' && job.blocked === 0) return;
  const result = <Result job={job} campaign={campaignName} />;
  if (job.status === 'failed')
    toast.failed(new ApiError('CONFLICT', job.error ?? jobTitle(job)), {
      label: t('Show details'),
      run: openJobs,
    });
  else if (canUndo(job)) toast.undo(result, () => undoBulkJob(job.id));
  else toast.good(result);
};

/** Reports jobs that end while the page is open, and refetches what they changed. A job of another tab or user that ends
 *  between two polls is not reported, but its changes are shown. */
const useEndedJobs = (jobs: readonly BulkJob[] | undefined): void => {
  const before = useRef<ReadonlyMap<string, boolean>>(undefined);
  useEffect(() => {
    if (!jobs) return;
    const known = before.current;
    before.current = new Map(jobs.map((job) => [job.id, isRunning(job)]));
    const ended = jobs.filter((job) => !isRunning(job) && job.action !== 'export');
    const seen = ended.filter(({ id }) => known?.get(id) || startedJobs.has(id));
    const isNew = known !== undefined && ended.some(({ id }) => !known.has(id));
    if (seen.length === 0 && !isNew) return;
    // Lists have the changes when the user is told about them, so that deleted contacts do not come back for a moment.
    void invalidate('/contacts', '/tags', '/figures', '/calls', '/campaigns', '/notices').finally(() => {
      for (const job of seen) {
        report(job);
        startedJobs.delete(job.id);
      }
    });
  }, [jobs]);
};

/** A screen reader hears a job begin, and then every quarter of it. */
const QUARTER = 25;

/** Watches the jobs of the workspace on every page, and has the dialog that lists them. */
export const BulkJobs = () => {
  const jobs = useBulkJobs();
  const isOpen = useStore(jobsDialog);
  useEndedJobs(jobs);
  const running = runningJob(jobs ?? []);
  return (
    <>
      <p role="status" className="sr-only">
        {running &&
          t('{job}: {percent}% done', {
            job: jobTitle(running),
            percent: Math.floor(shareOf(running) / QUARTER) * QUARTER,
          })}
      </p>
      {isOpen && (
        <LazyDialog
          title={t('Jobs')}
          load={loadDialog}
          props={{ onClose: () => jobsDialog.set(false), ...(typeof isOpen === 'string' && { id: isOpen }) }}
        />
      )}
    </>
  );
};

/** Opens the list of jobs, and shows the progress of the running one. Absent while the workspace has none. */
export const JobsButton = ({ onOpen }: { readonly onOpen?: () => void }) => {
  const jobs = useBulkJobs() ?? [];
  const running = runningJob(jobs);
  if (jobs.length === 0) return null;
  return (
    <button
      type="button"
      onClick={() => {
        onOpen?.();
        openJobs();
      }}
      className="flex w-full flex-col gap-1.5 rounded-lg px-2.5 py-2 text-start text-sm text-muted hover:bg-sunken hover:text-ink"
    >
      <span className="flex items-center gap-3">
        <ListChecks className="size-4.5 shrink-0" aria-hidden />
        <span className="min-w-0 flex-1 truncate">
          {running && <span className="sr-only">{t('Jobs')}: </span>}
          {running ? jobTitle(running) : t('Jobs')}
        </span>
        {running && <span className="figure shrink-0 text-xs">{shareOf(running)}%</span>}
      </span>
      {running && (
        <span className="block h-1 w-full overflow-hidden rounded-full bg-sunken" aria-hidden>
          <span
            className="block h-full rounded-full bg-accent transition-[width] duration-300"
            style={{ width: `${shareOf(running)}%` }}
          />
        </span>
      )}
    </button>
  );
};

/** The same for the header of a phone; only while a job runs. */
export const JobsIconButton = () => {
  const running = runningJob(useBulkJobs() ?? []);
  if (!running) return null;
  return (
    <IconButton
      label={t('Jobs, {percent}% done', { percent: shareOf(running) })}
      onClick={openJobs}
      icon={
        <span className="relative">
          <ListChecks aria-hidden />
          <span
            aria-hidden
            className="absolute -right-1 -bottom-1 size-2 animate-pulse rounded-full bg-accent"
          />
        </span>
      }
    />
  );
};
