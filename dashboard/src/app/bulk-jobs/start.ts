import { apiUrl, call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import { createStore } from '../../api/store.ts';
import type { BulkJobCreate, BulkJobReceipt, BulkSelection } from '../../api/types.gen.ts';

interface StartedJob {
  /** The name of the campaign of an enrollment. */
  readonly campaignName?: string | undefined;
  /** Called when it has ended. The user was told before what a finished one has done. */
  readonly onEnd?: () => void;
}

/** The jobs that this page has started. */
export const startedJobs = new Map<string, StartedJob>();

/** Whether the list of jobs is open, or the id of the job that is shown alone. */
export const jobsDialog = createStore<boolean | string>(false);

const started = (job: BulkJobReceipt, how: StartedJob): BulkJobReceipt => {
  startedJobs.set(job.id, how);
  void invalidate('/bulk-jobs');
  return job;
};

/** Starts a job on the service. The shell shows its progress and its result, also after this page was left. */
export const startBulkJob = async (
  job: BulkJobCreate,
  how: StartedJob = {},
  options: { readonly keepalive?: boolean } = {},
): Promise<BulkJobReceipt> =>
  started((await call('POST', '/bulk-jobs', { body: job, ...options })).data, how);

/** Starts a job that restores what another one has changed. */
export const undoBulkJob = async (id: string): Promise<BulkJobReceipt> =>
  started((await call('POST', '/bulk-jobs/{id}/undo', { params: { id } })).data, {});

/** Downloads by a link with the `download` attribute, so that an error response does not replace the page. */
export const downloadFrom = (url: string): void => {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
};

export const downloadExport = (id: string): void =>
  downloadFrom(apiUrl('/bulk-jobs/{id}/export', { id }, { include: 'fields' }));

/** Exports contacts, and downloads the file. */
export const exportSelection = async (selection: BulkSelection): Promise<void> =>
  downloadExport((await startBulkJob({ action: 'export', selection })).id);
