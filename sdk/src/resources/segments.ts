import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

/** Filters of contacts under a name. */
export class Segments extends Resource {
  list(query?: Query<'listSegments'>, options?: RequestOptions): List<Item<'listSegments'>> {
    return this.list_<'listSegments'>('/segments', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getSegment'>> {
    return this.get_<'getSegment'>(at`/segments/${id}`, options);
  }

  create(fields: Body<'createSegment'>, options?: WriteOptions): Call<Data<'createSegment'>> {
    return this.send_<'createSegment'>('POST', '/segments', options, fields);
  }

  update(id: string, fields: Body<'updateSegment'>, options?: WriteOptions): Call<Data<'updateSegment'>> {
    return this.send_<'updateSegment'>('PATCH', at`/segments/${id}`, options, fields);
  }

  /** Deletes a segment, unless it is the audience of a campaign that is not finished. */
  delete(id: string, options?: RequestOptions): Call<Data<'deleteSegment'>> {
    return this.delete_(at`/segments/${id}`, options);
  }

  /** How many contacts match now. */
  count(id: string, options?: RequestOptions): Call<Data<'countSegment'>> {
    return this.get_<'countSegment'>(at`/segments/${id}/count`, options);
  }
}
