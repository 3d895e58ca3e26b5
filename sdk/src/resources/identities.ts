import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Body, Data, Item, Query, Schemas } from '../types.ts';

type Kind = Schemas['Identity']['kind'];

/** Numbers, user ids and addresses by which contacts are found. */
export class Identities extends Resource {
  /** Those of people without a contact, newest first. */
  list(query: Query<'listIdentities'>, options?: RequestOptions): List<Item<'listIdentities'>> {
    return this.list_<'listIdentities'>('/identities', query, options);
  }

  /** The identity with this value, with the contact that has it now. */
  get(kind: Kind, value: string, options?: RequestOptions): Call<Data<'getIdentity'>> {
    return this.get_<'getIdentity'>(at`/identities/${kind}/${value}`, options);
  }

  /** All identities of a contact: the primary number, then other current ones, then former ones. */
  listOfContact(contact: string, options?: RequestOptions): List<Item<'listContactIdentities'>> {
    return this.listWhole_<'listContactIdentities'>(at`/contacts/${contact}/identities`, options);
  }

  /** Adds an identity to a contact. If another one has it, that is a `ConflictError` with its `existingContactId`. */
  add(contact: string, fields: Body<'addIdentity'>, options?: WriteOptions): Call<Data<'addIdentity'>> {
    return this.send_<'addIdentity'>('POST', at`/contacts/${contact}/identities`, options, fields);
  }

  /** Makes a secondary number the contact's number, which stays as a secondary one. */
  makePrimary(contact: string, identity: string, options?: WriteOptions): Call<Data<'makePrimary'>> {
    const path = at`/contacts/${contact}/identities/${identity}`;
    return this.send_<'makePrimary'>('PATCH', path, options, { is_primary: true });
  }

  /** Makes a current identity a former one, and removes a former one. */
  remove(contact: string, identity: string, options?: RequestOptions): Call<Data<'removeIdentity'>> {
    return this.delete_(at`/contacts/${contact}/identities/${identity}`, options);
  }
}
