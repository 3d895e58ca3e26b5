import type { Call } from '../call.ts';
import type { Download } from '../download.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import { pause } from '../transport.ts';
import type { Body, Data, Item, Query } from '../types.ts';
import type { WaitOptions } from './imports.ts';

export class BulkJobs extends Resource {
  /** Changes, enrolls or exports many contacts in the background. */
  create(job: Body<'createBulkJob'>, options?: WriteOptions): Call<Data<'createBulkJob'>> {
    return this.send_<'createBulkJob'>('POST', '/bulk-jobs', options, job);
  }

  /** Bulk jobs, newest first. */
  list(query?: Query<'listBulkJobs'>, options?: RequestOptions): List<Item<'listBulkJobs'>> {
    return this.list_<'listBulkJobs'>('/bulk-jobs', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getBulkJob'>> {
    return this.get_<'getBulkJob'>(at`/bulk-jobs/${id}`, options);
  }

  /** Stops a job. Its changes so far remain. */
  cancel(id: string, options?: WriteOptions): Call<Data<'cancelBulkJob'>> {
    return this.send_<'cancelBulkJob'>('POST', at`/bulk-jobs/${id}/cancel`, options);
  }

  /** Creates a job that restores what a job has changed. What was changed since stays. */
  undo(id: string, options?: WriteOptions): Call<Data<'undoBulkJob'>> {
    return this.send_<'undoBulkJob'>('POST', at`/bulk-jobs/${id}/undo`, options);
  }

  /** The contacts of an export job, as CSV or as lines of JSON. */
  download(id: string, query?: Query<'downloadBulkExport'>, options?: RequestOptions): Call<Download> {
    return this.download_(at`/bulk-jobs/${id}/export`, options, query);
  }

  /** The job, when it has ended. */
  async wait(id: string, { intervalMs = 500, ...options }: WaitOptions = {}): Promise<Data<'getBulkJob'>> {
    while (true) {
      const found = await this.get(id, options);
      if (found.status !== 'queued' && found.status !== 'running') return found;
      await pause(intervalMs, options.signal);
    }
  }
}
