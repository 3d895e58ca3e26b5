import type { Call } from '../call.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Data, Query } from '../types.ts';

/** Contacts that are likely the same person. */
export class Duplicates extends Resource {
  /** One page. The first request of a workspace starts the comparison of its contacts. */
  list(query?: Query<'listDuplicates'>, options?: RequestOptions): Call<Data<'listDuplicates'>> {
    return this.get_<'listDuplicates'>('/duplicates', options, query);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getDuplicate'>> {
    return this.get_<'getDuplicate'>(at`/duplicates/${id}`, options);
  }

  /** Remembers that the contacts of a group are different people. */
  dismiss(id: string, options?: WriteOptions): Call<Data<'dismissDuplicate'>> {
    return this.send_<'dismissDuplicate'>('POST', at`/duplicates/${id}/dismiss`, options);
  }

  /** Undoes the dismissal of a group. */
  restore(id: string, options?: RequestOptions): Call<Data<'restoreDuplicate'>> {
    return this.send_<'restoreDuplicate'>('DELETE', at`/duplicates/${id}/dismissal`, options);
  }
}
