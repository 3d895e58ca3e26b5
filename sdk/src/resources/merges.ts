import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

/** Contacts that became a part of another one. */
export class Merges extends Resource {
  /** With `dry_run: true`, the plan with its `plan_token`; the same with that token merges the contacts. */
  create(fields: Body<'createMerge'>, options?: WriteOptions): Call<Data<'createMerge'>> {
    return this.send_<'createMerge'>('POST', '/merges', options, fields);
  }

  /** Merges, newest first. */
  list(query?: Query<'listMerges'>, options?: RequestOptions): List<Item<'listMerges'>> {
    return this.list_<'listMerges'>('/merges', query, options);
  }

  /** A merge with the values that the survivor did not keep. */
  get(id: string, options?: RequestOptions): Call<Data<'getMerge'>> {
    return this.get_<'getMerge'>(at`/merges/${id}`, options);
  }

  /** Makes the merged contacts exist again. What was written to the survivor since stays there. */
  undo(id: string, options?: WriteOptions): Call<Data<'undoMerge'>> {
    return this.send_<'undoMerge'>('POST', at`/merges/${id}/undo`, options);
  }
}
