import type { Call } from '../call.ts';
import type { Download } from '../download.ts';
import type { List } from '../list.ts';
import type { ChangeOptions, RequestOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

export class Calls extends Resource {
  /** Calls and messages, newest first. */
  list(query?: Query<'listCalls'>, options?: RequestOptions): List<Item<'listCalls'>> {
    return this.list_<'listCalls'>('/calls', query, options);
  }

  /** A call; with `{ include: 'instructions' }` also the text that the runtime reports to have used. */
  get(id: string, options?: RequestOptions, query?: Query<'getCall'>): Call<Data<'getCall'>> {
    return this.get_<'getCall'>(at`/calls/${id}`, options, query);
  }

  /** Changes the note and the tags that your team adds to a call. */
  update(id: string, fields: Body<'updateCall'>, options?: ChangeOptions): Call<Data<'updateCall'>> {
    return this.send_<'updateCall'>('PATCH', at`/calls/${id}`, options, fields);
  }

  /** The tags that calls have. */
  tags(options?: RequestOptions): Call<Data<'listCallTags'>> {
    return this.get_<'listCallTags'>('/calls/tags', options);
  }

  /** All calls that match, latest start first, as CSV. */
  export(query?: Query<'exportCalls'>, options?: RequestOptions): Call<Download> {
    return this.download_('/calls/export', options, query);
  }

  /** Counts by status, day, duration and version. */
  statistics(query?: Query<'getCallStatistics'>, options?: RequestOptions): Call<Data<'getCallStatistics'>> {
    return this.get_<'getCallStatistics'>('/calls/statistics', options, query);
  }

  /** Dispositions and goals by day, version and channel. */
  outcomes(query?: Query<'getOutcomes'>, options?: RequestOptions): Call<Data<'getOutcomes'>> {
    return this.get_<'getOutcomes'>('/outcomes', options, query);
  }

  settings(options?: RequestOptions): Call<Data<'getCallSettings'>> {
    return this.get_<'getCallSettings'>('/call-settings', options);
  }

  /** Replaces the dispositions, the rules that copy data to fields, and the retention of transcripts. */
  replaceSettings(
    fields: Body<'replaceCallSettings'>,
    options?: ChangeOptions,
  ): Call<Data<'replaceCallSettings'>> {
    return this.send_<'replaceCallSettings'>('PUT', '/call-settings', options, fields);
  }

  transcript(id: string, options?: RequestOptions): Call<Data<'getTranscript'>> {
    return this.get_<'getTranscript'>(at`/calls/${id}/transcript`, options);
  }

  replaceTranscript(
    id: string,
    fields: Body<'replaceTranscript'>,
    options?: ChangeOptions,
  ): Call<Data<'replaceTranscript'>> {
    return this.send_<'replaceTranscript'>('PUT', at`/calls/${id}/transcript`, options, fields);
  }
}
