import type { Call } from '../call.ts';
import { List, within } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Data, Query, Schemas } from '../types.ts';

type Group = Schemas['Duplicate'];
/** How far the comparison of the contacts is, and where the next page begins. */
type Progress = Omit<Data<'listDuplicates'>, 'duplicates'>;

const groups = within<Group, Progress>(
  'duplicates',
  ({ next_cursor }) => next_cursor !== null && { cursor: next_cursor },
);

/** Contacts that are likely the same person. */
export class Duplicates extends Resource {
  /** Groups, newest first. The first request of a workspace starts the comparison of its contacts; `status` in the `pagination`
   *  of a page says whether it is complete. */
  list(query?: Query<'listDuplicates'>, options?: RequestOptions): List<Group, Progress> {
    return new List(this.transport, groups, '/duplicates', query, options);
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
