import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { cascade } from '../../lib/cascade.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict, existing, invalidField, notFound } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageOf, pageRequestOf } from '../../lib/page.ts';
import type { Principal } from '../workspaces/principal.ts';
import { holderOf } from './contact.holder.ts';
import { existingContact } from './contact.merged.ts';
import { changedRow, contactId } from './contact.service.ts';
import * as contacts from './contact.store.ts';
import { writeContacts } from './contact.write.ts';
import { currentOf, type IdentityValue, withIdentity, withoutIdentity } from './identity.column.ts';
import { type Identity, identitiesByContact, originalRow, shownIdentity } from './identity.list.ts';
import {
  type IdentityCreate,
  type IdentityKind,
  identityKinds,
  identityProblem,
  identityValue,
  MAX_IDENTITIES,
} from './identity.schema.ts';
import * as store from './identity.store.ts';
import type { AddedIdentity } from './identity.sync.ts';

const identitiesOf = async (
  db: Db,
  { workspace }: Principal,
  contact: contacts.StoredContact,
): Promise<Identity[]> => (await identitiesByContact(db, workspace, [contact])).get(contact.id) ?? [];

const lockContact = async (db: Db, principal: Principal, sent: string) => {
  const id = contactId.require(sent);
  const found = await db.get(contacts.selectContactForUpdate, { workspace: principal.workspace, id });
  return existingContact(db, principal, id, found);
};

export const listContactIdentities = read(
  'listContactIdentities',
  async (db, principal: Principal, { id: sent }: { id: string }): Promise<Identity[]> => {
    const { workspace } = principal;
    const id = contactId.require(sent);
    const keys = JSON.stringify([id]);
    const [contact] = await db.all(contacts.findStoredByIds, { workspace, keys });
    return identitiesOf(db, principal, await existingContact(db, principal, id, contact));
  },
);

/** The contact that has an identity now, null for a person without one; undefined if no one has it. */
export const holderOfIdentity = async (
  db: Db,
  workspace: number,
  identity: IdentityValue,
): Promise<string | null | undefined> =>
  identity.kind === 'phone'
    ? holderOf(db, workspace, identity.value)
    : (await db.get(store.findCurrent, { workspace, ...identity }))?.contact_id;

export interface AttachedIdentity {
  /** The ids of the identity and of its contact, which is locked. */
  readonly identity: string;
  readonly contact: string;
}

/** Runs when a contact gets the identity of a person without one, so that other features link what they store of this person. */
export const identityAttachment = cascade<[Db, Principal, AttachedIdentity]>();

/** Locks the contact that has an identity. Undefined if there is none, or no longer. */
export const findAttached = async (
  db: Db,
  { workspace, identity }: { workspace: number; identity: string },
): Promise<string | undefined> => {
  const contact = (await db.get(store.findIdentityRow, { workspace, id: identity }))?.contact_id;
  if (contact == null) return undefined;
  return (await db.get(contacts.selectContactForUpdate, { workspace, id: contact }))?.id;
};

/** Adds a current identity to a locked contact, which a person without a contact can have. Returns the contact. */
export const attachIdentity = async (
  db: Db,
  principal: Principal,
  before: contacts.StoredContact,
  { kind, value, ...added }: IdentityValue & AddedIdentity,
): Promise<contacts.StoredContact> => {
  const after = changedRow(before, { identities: withIdentity(before, { kind, value }) });
  const loose = await db.get(store.findCurrent, { workspace: principal.workspace, kind, value });
  await writeContacts(db, principal, [{ before, after, added }], { isAudited: true });
  if (loose) await identityAttachment.run(db, principal, { identity: loose.id, contact: before.id });
  return after;
};

export const hasMostIdentities = (contact: contacts.ContactRow): boolean =>
  currentOf(contact).length >= MAX_IDENTITIES;

/** What a write returns. Its stored answer to an idempotency key is erased with the contact that it names. */
interface ChangedIdentity {
  readonly contact_id: string;
  readonly identity: Identity;
}

export const addIdentity = write(
  'addIdentity',
  async (
    db,
    principal: Principal,
    { id, ...sent }: IdentityCreate & { id: string },
  ): Promise<ChangedIdentity> => {
    const { kind, verified_by, valid_from } = sent;
    const value = identityValue(kind, sent.value);
    if (valid_from !== undefined && valid_from > timestamp())
      throw invalidField('valid_from', 'must not be in the future.');
    const before = await lockContact(db, principal, id);
    const holder = await holderOfIdentity(db, principal.workspace, { kind, value });
    if (holder)
      throw conflict(
        holder === before.id
          ? 'This contact already has this identity.'
          : `Another contact in this workspace has this identity: ${holder}. Remove it there first.`,
        { existing_contact_id: holder },
      );
    if (hasMostIdentities(before))
      throw conflict(
        `A contact can have at most ${MAX_IDENTITIES} current identities. Remove one that is no longer used.`,
      );
    const after = await attachIdentity(db, principal, before, { kind, value, verified_by, valid_from });
    const all = await identitiesOf(db, principal, after);
    const identity = all.find((each) => each.kind === kind && each.value === value) as Identity;
    return { contact_id: after.id, identity };
  },
);

type Named = { id: string; identity_id: string };

/** A locked contact, one of its identities, and the row of it without this identity. */
const lockIdentity = async (db: Db, principal: Principal, { id, identity_id }: Named) => {
  const contact = await lockContact(db, principal, id);
  const wanted = store.identityId.require(identity_id);
  const identity = (await identitiesOf(db, principal, contact)).find((each) => each.id === wanted);
  if (!identity) throw notFound('identity');
  return { contact, identity };
};

/** Makes a secondary number the primary one, which stays as a secondary number. */
export const makePrimary = write(
  'makePrimary',
  async (db, principal: Principal, named: Named): Promise<ChangedIdentity> => {
    const { contact: before, identity } = await lockIdentity(db, principal, named);
    const { value } = identity;
    if (identity.is_primary) return { contact_id: before.id, identity };
    if (identity.kind !== 'phone' || identity.valid_until !== null)
      throw conflict(
        'Only a current number can be the primary number. Choose an identity of the kind phone.',
      );
    const others = { ...before, identities: withoutIdentity(before, { kind: 'phone', value }) };
    const former = before.phone_identity;
    const identities =
      former === null ? others.identities : withIdentity(others, { kind: 'phone', value: former });
    const number = { phone_number: value, phone_identity: value, phone_conflict: 0 };
    const after = changedRow(before, { ...number, identities });
    await writeContacts(db, principal, [{ before, after }], { isAudited: true });
    return { contact_id: before.id, identity: { ...identity, is_primary: true } };
  },
);

/** A current identity becomes a former one; a former one is removed. */
export const removeIdentity = write(
  'removeIdentity',
  async (db, principal: Principal, named: Named): Promise<void> => {
    const { contact: before, identity } = await lockIdentity(db, principal, named);
    if (identity.is_primary)
      throw conflict(
        'The primary number cannot be removed. Make another number primary, or change phone_number.',
      );
    const isFormer = identity.valid_until !== null;
    if (isFormer) await db.run(store.deleteIdentityRow, { workspace: principal.workspace, id: identity.id });
    const identities = isFormer ? before.identities : withoutIdentity(before, identity);
    const after = changedRow(before, { identities });
    await writeContacts(db, principal, [{ before, after }], { isAudited: true });
  },
);

const isKind = (kind: string): kind is IdentityKind => identityKinds.some((each) => each === kind);

/** The identity with a value that someone has now. */
export const getIdentity = read(
  'getIdentity',
  async (db, { workspace }: Principal, { kind, value: sent }: { kind: string; value: string }) => {
    if (!isKind(kind)) throw invalidField('kind', `must be one of ${identityKinds.join(', ')}.`);
    const message = identityProblem(kind, sent);
    if (message !== undefined) throw invalidField('value', message);
    const value = identityValue(kind, sent);
    const row = await db.get(store.findCurrent, { workspace, kind, value });
    const holder = row ? row.contact_id : kind === 'phone' ? await holderOf(db, workspace, value) : undefined;
    if (holder === undefined) throw notFound('identity');
    const keys = JSON.stringify([holder]);
    const [contact] = holder === null ? [] : await db.all(contacts.findStoredByIds, { workspace, keys });
    const found = row ?? originalRow(existing('identity', contact));
    return { ...shownIdentity(found, contact), contact_id: holder };
  },
);

/** People without a contact, newest first. */
export const listIdentities = longRead(
  'listIdentities',
  async (db, { workspace }: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const plan = store.looseIdentities.plan([], 'newest');
    const args = { workspace, ...pageRequestOf(query) };
    const rows = await store.looseIdentities.page(db, plan, store.identityRows, args);
    const total = await store.looseIdentities.total(db, plan, workspace);
    return pageOf(
      rows.map((row) => ({ ...shownIdentity(row, undefined), contact_id: null })),
      total,
    );
  },
);
