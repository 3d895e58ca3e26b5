import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query } from '../types.ts';

/** What a workspace stores about its contacts besides the fields that all have. */
export class Fields extends Resource {
  /** All fields, archived ones included, in the order of their creation. */
  list(options?: RequestOptions): List<Item<'listFields'>> {
    return this.listWhole_<'listFields'>('/fields', options);
  }

  get(key: string, options?: RequestOptions): Call<Data<'getField'>> {
    return this.get_<'getField'>(at`/fields/${key}`, options);
  }

  create(field: Body<'createField'>, options?: WriteOptions): Call<Data<'createField'>> {
    return this.send_<'createField'>('POST', '/fields', options, field);
  }

  /** Changes the label, options, `filterable` or `archived`. The key and the type never change. */
  update(key: string, changes: Body<'updateField'>, options?: WriteOptions): Call<Data<'updateField'>> {
    return this.send_<'updateField'>('PATCH', at`/fields/${key}`, options, changes);
  }

  /** Deletes a field without values, or archives it. `{ erase: true }` erases the values of an archived one. */
  delete(key: string, options?: WriteOptions, query?: Query<'deleteField'>): Call<Data<'deleteField'>> {
    return this.send_<'deleteField'>('DELETE', at`/fields/${key}`, options, undefined, query);
  }
}
