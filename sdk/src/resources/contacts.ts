import { type BatchOptions, runBatch } from '../batch.ts';
import type { Call, Result } from '../call.ts';
import type { Download } from '../download.ts';
import { byCursor, List, within } from '../list.ts';
import type { ChangeOptions, RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query, Schemas } from '../types.ts';

export interface UpsertOptions extends ChangeOptions {
  /** If the contact exists, the request fails with a `PreconditionFailedError`. */
  readonly onlyCreate?: boolean | undefined;
}

type TimelineEntry = Data<'getContactTimeline'>['entries'][number];
type Position = Omit<Data<'getContactTimeline'>, 'entries'>;

const timeline = within<TimelineEntry, Position>(
  'entries',
  ({ next_cursor }) => next_cursor !== null && { cursor: next_cursor },
);

export class Contacts extends Resource {
  /** Contacts, newest first unless the query has a `sort`. A loop sees every contact that exists throughout exactly once,
   *  also while others are created and deleted. */
  list(query?: Query<'listContacts'>, options?: RequestOptions): List<Item<'listContacts'>> {
    return new List(this.transport, byCursor, '/contacts', query, options);
  }

  /** A contact with its CRM ids. */
  get(id: string, options?: RequestOptions, query?: Query<'getContact'>): Call<Data<'getContact'>> {
    return this.get_<'getContact'>(at`/contacts/${id}`, options, query);
  }

  /** The contact, or undefined if its ETag is still the given one. */
  getIfChanged(
    id: string,
    etag: string,
    options?: RequestOptions,
  ): Promise<Result<Data<'getContact'>> | undefined> {
    return this.changed_<'getContact'>(at`/contacts/${id}`, etag, options);
  }

  /** Creates a contact. If another one has its number, that is a `ConflictError` with its `existingContactId`. */
  create(
    fields: Body<'createContact'>,
    options?: WriteOptions,
    query?: Query<'createContact'>,
  ): Call<Data<'createContact'>> {
    return this.send_<'createContact'>('POST', '/contacts', options, fields, query);
  }

  /** Changes the given fields. `null` clears a text; `tags` replaces all tags; `fields` is merged by key. A key without `contacts:read` gets only the id and what it
   *  sent. */
  update(
    id: string,
    fields: Body<'updateContact'>,
    options?: ChangeOptions,
    query?: Query<'updateContact'>,
  ): Call<Schemas['Contact']> {
    return this.transport.call({ method: 'PATCH', path: at`/contacts/${id}`, json: fields, query }, options);
  }

  /** Deletes a contact permanently. Its calls remain, without a link to it. */
  delete(id: string, options?: ChangeOptions): Call<Data<'deleteContact'>> {
    return this.delete_(at`/contacts/${id}`, options);
  }

  /** The contact with this number, in E.164 format. */
  byPhone(
    phone: string,
    options?: RequestOptions,
    query?: Query<'getContactByPhone'>,
  ): Call<Data<'getContactByPhone'>> {
    return this.get_<'getContactByPhone'>(at`/contacts/by-phone/${phone}`, options, query);
  }

  /** Creates the contact with this number, or changes the given fields of it. `withResponse()` says which: `created`. A key without
   *  `contacts:read` gets only the id and what it sent. */
  upsert(
    phone: string,
    fields: Body<'upsertContact'> = {},
    { onlyCreate, ...options }: UpsertOptions = {},
    query?: Query<'upsertContact'>,
  ): Call<Schemas['Contact'] | Schemas['CreatedContact']> {
    return this.transport.call(
      {
        method: 'PUT',
        path: at`/contacts/by-phone/${phone}`,
        json: fields,
        query,
        ...(onlyCreate && { headers: { 'if-none-match': '*' } }),
      },
      options,
    );
  }

  /** Creates, updates, upserts and deletes many contacts, in requests of up to 1,000 operations. The result has an entry for
   *  every operation, in the same order; check its `failed`. */
  batch(
    operations: readonly Schemas['ContactOperation'][],
    options?: BatchOptions,
  ): Promise<Data<'batchContacts'>> {
    return runBatch(this.transport, operations, options);
  }

  /** All contacts that match, oldest first, as CSV or as lines of JSON. */
  export(query?: Query<'exportContacts'>, options?: RequestOptions): Call<Download> {
    return this.download_('/contacts/export', options, query);
  }

  /** Legacy contacts whose displayed number belongs to another contact. */
  listConflicts(
    query?: Query<'listContactConflicts'>,
    options?: RequestOptions,
  ): List<Item<'listContactConflicts'>> {
    return this.list_<'listContactConflicts'>('/contacts/conflicts', query, options);
  }

  /** The campaigns of a contact. */
  listEnrollments(id: string, options?: RequestOptions): List<Item<'listContactEnrollments'>> {
    return this.listWhole_<'listContactEnrollments'>(at`/contacts/${id}/enrollments`, options);
  }

  /** What happened to a contact, newest first. */
  timeline(
    id: string,
    query?: Query<'getContactTimeline'>,
    options?: RequestOptions,
  ): List<TimelineEntry, Position> {
    return new List(this.transport, timeline, at`/contacts/${id}/timeline`, query, options);
  }

  /** All tags with their number of contacts. */
  listTags(query?: Query<'listTags'>, options?: RequestOptions): List<Item<'listTags'>> {
    return this.list_<'listTags'>('/tags', query, options);
  }
}
