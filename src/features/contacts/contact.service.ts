import type { Db } from '../../db/db.ts';
import { type Call, type Outcome, read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { attempt, conflict, invalidField, notFound, TransactionConflict } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag, shortHash } from '../../lib/etag.ts';
import { typeId } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { fieldsFor } from '../fields/field.store.ts';
import { type Definitions, mergeValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { holderOf } from './contact.holder.ts';
import { including } from './contact.include.ts';
import { existingContact } from './contact.merged.ts';
import { type ContactCreate, type ContactUpdate, mapTexts, type Source } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { type ChangedContact, createContacts, getsNumber, writeContacts } from './contact.write.ts';
import { withoutIdentity } from './identity.column.ts';
import { phoneProblem } from './phone.ts';

export const contactId = typeId('contact');

type Revision = Pick<store.StoredContact, 'updated_at' | 'first_contact_at' | 'last_contact_at' | 'crm_ids'>;

/** Every update increases `updated_at`; a call changes one of the other two times, and an integration the CRM ids. A hash of
 *  the whole JSON would take 2 µs. */
export const contactTag = ({ updated_at, first_contact_at, last_contact_at, crm_ids }: Revision): string => {
  const ids = crm_ids === '{}' ? '' : `/${shortHash(crm_ids)}`;
  return `"${updated_at}/${first_contact_at}/${last_contact_at}${ids}"`;
};

/** The contact with its CRM ids, as JSON. */
export const fullJson = (found: (Revision & { wire: string }) | undefined): JsonWithEtag => {
  if (!found) throw notFound('contact');
  const { wire, crm_ids } = found;
  return { json: withMember(wire, 'crm_ids', crm_ids), etag: contactTag(found) };
};

export const getContact = read(
  'getContact',
  (db, principal: Principal, { id: sent, include }: { id: string; include?: string | undefined }) => {
    const { workspace } = principal;
    const id = contactId.require(sent);
    const found = chain(db.get(store.findContact, { workspace, id }), (row) =>
      row ? fullJson(row) : existingContact<JsonWithEtag>(db, principal, id, undefined),
    );
    return including(db, principal, include, found);
  },
);

/** The contacts that exist, as `getContact` returns them, by their ids. */
export const contactsById = async (
  db: Db,
  { workspace }: Principal,
  ids: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await db.all(store.findContactsById, { workspace, keys: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, fullJson(row).json]));
};

export const numberTaken = (id: string) =>
  conflict(`Another contact in this workspace has this phone number: ${id}. Update that contact instead.`, {
    existing_contact_id: id,
  });

/** The response to a create does not have the times of contact. No text field can contain the part that is cut: JSON escapes
 *  its quotes. */
const createdJson = ({ wire, first_contact_at, last_contact_at }: store.ContactRow): string =>
  wire.replace(`,"first_contact_at":"${first_contact_at}","last_contact_at":"${last_contact_at}"`, '');

/** A column of values after those of a request. */
const valuesOf = (
  stored: string,
  sent: ContactUpdate['fields'],
  definitions: Definitions = new Map(),
): string => (sent ? mergeValues(stored, sent, definitions) : stored);

export interface NewContact {
  readonly source: Source;
  readonly fields: ContactCreate &
    Partial<Pick<store.RowFacts, 'phone_identity' | 'phone_conflict' | 'crm_ids'>>;
  /** The time of the first contact, by default now. */
  readonly at?: string;
}

export type CreatedContact = JsonWithEtag & { id: string };

/** The row of a new contact. `definitions` are the workspace's fields; without them, it can have no values. */
export const newRow = (
  workspace: number,
  { source, fields, at }: NewContact,
  definitions?: Definitions,
): store.ContactRow => {
  const now = timestamp();
  return store.rowOf({
    workspace_id: workspace,
    id: contactId.create(),
    phone_number: fields.phone_number,
    phone_identity: fields.phone_identity === undefined ? fields.phone_number : fields.phone_identity,
    phone_conflict: fields.phone_conflict ?? 0,
    identities: null,
    ...mapTexts((name) => fields[name] ?? null),
    tags: JSON.stringify(fields.tags ?? []),
    crm_ids: fields.crm_ids ?? '{}',
    fields: valuesOf('{}', fields.fields, definitions),
    source,
    first_contact_at: at ?? now,
    last_contact_at: at ?? now,
    created_at: now,
    updated_at: now,
  });
};

/** Writes a new contact and returns it, or undefined if its number is taken. */
export const insertContact = async (
  db: Db,
  principal: Principal,
  input: NewContact,
  definitions?: Definitions,
): Promise<store.StoredContact | undefined> => {
  const after = newRow(principal.workspace, input, definitions);
  const [seq] = await createContacts(db, [{ principal, after }], definitions);
  return seq === undefined ? undefined : { ...after, seq };
};

export const createdOf = (row: store.ContactRow): CreatedContact => ({
  id: row.id,
  json: createdJson(row),
  etag: contactTag(row),
});

/** The error of a write whose number is taken. */
const refusal = async (db: Db, { workspace }: Principal, identity: string): Promise<Error> => {
  const holder = await holderOf(db, workspace, identity);
  return holder === undefined ? beingDeleted() : numberTaken(holder);
};

/** Creates the contacts of several requests of a workspace; the error of one whose fields are invalid, undefined for one whose number
 *  is taken. */
export const createAll = async (
  db: Db,
  calls: readonly Call<Principal, NewContact>[],
): Promise<(Outcome<CreatedContact> | undefined)[]> => {
  const { principal: first } = calls[0] as Call<Principal, NewContact>;
  const sent = calls.map(({ input }) => input.fields);
  const definitions = await fieldsFor(db, first, sent);
  const rows = calls.map(({ principal, input }) =>
    attempt(() => ({ principal, after: newRow(first.workspace, input, definitions) })),
  );
  const valid = rows.flatMap((row) => ('value' in row ? [row.value] : []));
  const seqs = (await createContacts(db, valid, definitions)).values();
  return rows.map((row) => {
    if ('error' in row) return row;
    return seqs.next().value === undefined ? undefined : { value: createdOf(row.value.after) };
  });
};

const createMany = async (
  db: Db,
  calls: readonly Call<Principal, NewContact>[],
): Promise<(Outcome<CreatedContact> | undefined)[]> => {
  const outcomes = await createAll(db, calls);
  return Promise.all(
    calls.map(async ({ principal, input }, at) => {
      const outcome = outcomes[at];
      // The error of an unknown field lists those that its caller may see, so the call runs alone.
      if (outcome && 'error' in outcome && calls.length > 1) return undefined;
      if (outcome) return outcome;
      const error = await refusal(db, principal, input.fields.phone_number);
      return error instanceof TransactionConflict ? undefined : { error };
    }),
  );
};

export const createContact = write(
  'createContact',
  async (db, principal: Principal, input: NewContact): Promise<CreatedContact> => {
    const [outcome] = await createMany(db, [{ principal, input }]);
    if (!outcome) throw beingDeleted();
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  },
  { runMany: createMany },
);

const beingDeleted = () =>
  new TransactionConflict('The contact that had this number is being deleted. Retry.');

/** Locks the contact until the transaction ends, and checks the precondition of the request. */
const lockContact = async (db: Db, principal: Principal, sent: string, match: IfMatch | undefined) => {
  const id = contactId.require(sent);
  const locked = await db.get(store.selectContactForUpdate, { workspace: principal.workspace, id });
  const found = await existingContact(db, principal, id, locked);
  assertIfMatch('contact', contactTag(found), match);
  return found;
};

type Changes = Partial<Omit<store.RowFacts, 'tags'>> & { readonly tags?: readonly string[] };

/** The row of a contact after changes. */
export const changedRow = <R extends store.ContactRow>(before: R, { tags, ...changes }: Changes): R => ({
  ...before,
  ...store.rowOf({
    ...before,
    ...changes,
    ...(tags && { tags: JSON.stringify(tags) }),
    updated_at: timestampAfter(before.updated_at),
  }),
});

/** A contact that could not be changed, and why. */
export interface Blocked {
  readonly id: string;
  readonly reason: string;
}

/** Changes tags or values of locked contacts. A contact that would stay the same is not updated, and one whose change is refused is
 *  reported as blocked. */
export const changeEach = async (
  db: Db,
  principal: Principal,
  contacts: readonly store.StoredContact[],
  changesOf: (before: store.StoredContact) => Changes,
): Promise<{
  changed: number;
  unchanged: number;
  blocked: Blocked[];
  writes: ChangedContact[];
}> => {
  const blocked: Blocked[] = [];
  const writes = contacts.flatMap((before) => {
    const changes = attempt(() => changesOf(before));
    if ('error' in changes) {
      blocked.push({ id: before.id, reason: changes.error.message });
      return [];
    }
    const after = changedRow(before, changes.value);
    return after.tags === before.tags && after.fields === before.fields ? [] : [{ before, after }];
  });
  await writeContacts(db, principal, writes);
  const unchanged = contacts.length - writes.length - blocked.length;
  return { changed: writes.length, unchanged, blocked, writes };
};

/** The row of a contact after an update. Does not check whether a new number is taken. */
export const mergeFields = <R extends store.ContactRow>(
  before: R,
  fields: ContactUpdate,
  definitions?: Definitions,
): R => {
  const { confirm_phone_change: confirmed = false, phone_number, fields: sent, ...changes } = fields;
  const phone = phone_number === undefined ? {} : phoneChange(before, phone_number, confirmed);
  return changedRow(before, { ...changes, ...phone, fields: valuesOf(before.fields, sent, definitions) });
};

/** Changes the given fields of a locked contact and returns the contact. `definitions` are locked before the contact. */
export const changeContact = async (
  db: Db,
  principal: Principal,
  before: store.StoredContact,
  fields: ContactUpdate,
  definitions?: Definitions,
): Promise<store.StoredContact> => {
  const after = mergeFields(before, fields, definitions);
  const { workspace } = principal;
  const identity = getsNumber({ before, after }) ? after.phone_identity : null;
  const holder = identity === null ? undefined : await holderOf(db, workspace, identity);
  if (holder !== undefined && holder !== before.id) throw numberTaken(holder);
  await writeContacts(db, principal, [{ before, after }], { isAudited: true });
  return after;
};

export const updateContact = write(
  'updateContact',
  async (
    db,
    principal: Principal,
    { id, fields, match }: { id: string; fields: ContactUpdate; match?: IfMatch },
  ): Promise<JsonWithEtag> => {
    const definitions = await fieldsFor(db, principal, [fields]);
    const before = await lockContact(db, principal, id, match);
    const after = await changeContact(db, principal, before, fields, definitions);
    return { json: after.wire, etag: contactTag(after) };
  },
);

/** The stored number, sent back unchanged, is not a change. */
const phoneChange = (before: store.ContactRow, phone_number: string, confirmed: boolean) => {
  if (phone_number === before.phone_number) return {};
  const message = phoneProblem(phone_number);
  if (message) throw invalidField('phone_number', message);
  if (before.phone_conflict && !confirmed) {
    throw conflict(
      'The displayed and normalized phone numbers of this contact conflict. To replace both, send confirm_phone_change: true.',
      [{ field: 'confirm_phone_change', message: 'must be true to change the number of this contact.' }],
    );
  }
  const identities = withoutIdentity(before, { kind: 'phone', value: phone_number });
  return { phone_number, phone_identity: phone_number, phone_conflict: 0, identities };
};

/** Deletes a contact permanently, with everything that is stored only for it. */
export const deleteContact = write(
  'deleteContact',
  async (db, principal: Principal, { id, match }: { id: string; match?: IfMatch }): Promise<void> => {
    const before = await lockContact(db, principal, id, match);
    await writeContacts(db, principal, [{ before }], { isAudited: true });
  },
);
