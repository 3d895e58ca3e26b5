import type { Call } from '../call.ts';
import type { Download } from '../download.ts';
import type { List } from '../list.ts';
import type { RequestOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Data, Item, Query } from '../types.ts';

export class Calls extends Resource {
  /** Calls and messages, newest first. */
  list(query?: Query<'listCalls'>, options?: RequestOptions): List<Item<'listCalls'>> {
    return this.list_<'listCalls'>('/calls', query, options);
  }

  /** A call; with `{ include: 'instructions' }` also the text that the runtime reports to have used. */
  get(id: string, options?: RequestOptions, query?: Query<'getCall'>): Call<Data<'getCall'>> {
    return this.get_<'getCall'>(at`/calls/${id}`, options, query);
  }

  /** All calls that match, latest start first, as CSV. */
  export(query?: Query<'exportCalls'>, options?: RequestOptions): Call<Download> {
    return this.download_('/calls/export', options, query);
  }

  /** Counts by status, day, duration and version. */
  statistics(query?: Query<'getCallStatistics'>, options?: RequestOptions): Call<Data<'getCallStatistics'>> {
    return this.get_<'getCallStatistics'>('/calls/statistics', options, query);
  }
}
