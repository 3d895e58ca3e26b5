import { apiUrl, call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import { createStore } from '../../api/store.ts';
import type { BulkJobCreate, BulkJobReceipt } from '../../api/types.gen.ts';

interface StartedJob {
  /** The name of the campaign of an enrollment. */
  readonly campaignName?: string | undefined;
  /** A job that reverts this one if it has changed every selected contact. */
  readonly undo?: BulkJobCreate | undefined;
}

/** The jobs that this page has started. */
export const startedJobs = new Map<string, StartedJob>();

/** Whether the list of jobs is open. */
export const jobsDialog = createStore(false);

/** Starts a job on the service. The shell shows its progress and its result, also after this page was left. */
export const startBulkJob = async (
  job: BulkJobCreate,
  started: StartedJob | false = {},
): Promise<BulkJobReceipt> => {
  const { data } = await call('POST', '/bulk-jobs', { body: job });
  startedJobs.set(data.id, started || {});
  void invalidate('/bulk-jobs');
  return data;
};

/** Downloads by a link with the `download` attribute, so that an error response does not replace the page. */
export const downloadFrom = (url: string): void => {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
};

export const downloadExport = (id: string): void =>
  downloadFrom(apiUrl('/bulk-jobs/{id}/export', { id }, { include: 'fields' }));
