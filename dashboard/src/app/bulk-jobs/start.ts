import { apiUrl, call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import { createStore } from '../../api/store.ts';
import type { BulkJob, BulkJobCreate } from '../../api/types.gen.ts';

/** The jobs that this page has started, with the name of their campaign. */
export const startedJobs = new Map<string, string | undefined>();

/** Whether the list of jobs is open. */
export const jobsDialog = createStore(false);

/** Starts a job on the service. The shell shows its progress and its result, also after this page was left. */
export const startBulkJob = async (job: BulkJobCreate, campaignName?: string): Promise<BulkJob> => {
  const { data } = await call('POST', '/bulk-jobs', { body: job });
  startedJobs.set(data.id, campaignName);
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

export const downloadExport = (id: string): void => downloadFrom(apiUrl('/bulk-jobs/{id}/export', { id }));
