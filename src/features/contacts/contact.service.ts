import type { Db } from '../../db/db.ts';
import { type Position, seekPosition } from '../../db/deep-pagination.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, invalid, notFound, TransactionConflict } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag, shortHash } from '../../lib/etag.ts';
import { event } from '../../lib/events.ts';
import { typeId } from '../../lib/ids.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, pageRequestOf } from '../../lib/page.ts';
import { changedFields, recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { tagCounter, updateDerivedData } from './contact.derived.ts';
import * as lists from './contact.lists.ts';
import {
  type ContactCreate,
  type ContactQuery,
  type ContactUpdate,
  type FilterQuery,
  profileTexts,
  type Source,
} from './contact.schema.ts';
import * as store from './contact.store.ts';
import { isPlain, termsOf } from './contact.terms.ts';
import { phoneNeedle, phoneProblem } from './phone.ts';

export const contactId = typeId('contact');

/** Emitted before a contact is deleted, so that other features delete or unlink what they store about it. */
export const contactDeleted = event<[Db, Principal, { id: string; identity: string | null }]>();

const parseId = (id: string): string => {
  const parsed = contactId.parse(id);
  if (!parsed) throw notFound('contact');
  return parsed;
};

type Revision = Pick<store.StoredContact, 'updated_at' | 'first_contact_at' | 'last_contact_at' | 'crm_ids'>;

/** Every update increases `updated_at`; a call changes one of the other two times, and an integration the CRM ids. A hash of
 *  the whole JSON would take 2 µs. */
const contactTag = ({ updated_at, first_contact_at, last_contact_at, crm_ids }: Revision): string => {
  const ids = crm_ids === '{}' ? '' : `/${shortHash(crm_ids)}`;
  return `"${updated_at}/${first_contact_at}/${last_contact_at}${ids}"`;
};

/** The contact with its CRM ids, as JSON. */
export const getContact = read(
  'getContact',
  (db: Db, { workspace }: Principal, { id }: { id: string }): MaybePromise<JsonWithEtag> =>
    chain(db.get(store.findContact, { workspace, id: parseId(id) }), (found) => {
      if (!found) throw notFound('contact');
      const { wire, crm_ids } = found;
      return { json: `${wire.slice(0, -1)},"crm_ids":${crm_ids}}`, etag: contactTag(found) };
    }),
);

/** Whether the work of a list grows with the workspace, which makes it a long read. */
export const listGrows = (query: FilterQuery): boolean =>
  Boolean(query.search) || Boolean(query.company) || (Boolean(query.tag) && isDeepPage(query));

/** One page, newest first. */
export const listContacts = read(
  'listContacts',
  (db: Db, { workspace }: Principal, query: ContactQuery): MaybePromise<Page> => {
    const page = { workspace, ...pageRequestOf(query) };
    const { search, tag } = query;
    const result = search
      ? findContacts(db, page, search, tag)
      : tag
        ? db.get(lists.listTagged, { ...page, tag, list: tagCounter(tag) })
        : chain(positionOf(db, page), ({ below, skip }) =>
            db.get(lists.listAll, { ...page, below, offset: skip, list: 'contacts' }),
          );
    return chain(result, (found) => found as Page);
  },
  { cacheable: true, isLong: listGrows },
);

/** Like `listContacts`, with the filters of the dashboard (see contact.terms.ts). */
export const filterContacts = read(
  'filterContacts',
  (db: Db, principal: Principal, query: FilterQuery): MaybePromise<Page> => {
    const { search = '', tag = '', company = '' } = query;
    const terms = termsOf(search);
    if (isPlain(query, terms)) return listContacts(db, principal, { ...query, search: terms.search });
    const needle = { text: store.searchable(terms.search), phone: phoneNeedle(terms.search) };
    const page = { workspace: principal.workspace, ...pageRequestOf(query) };
    const args = { ...page, ...needle, tag, company, words: terms.words };
    return terms.search
      ? db.search.page(lists.searches.filtered, args)
      : chain(db.get(lists.listCompany, args), (found) => found as Page);
  },
  { cacheable: true, isLong: listGrows },
);

/** Where a page of all contacts begins. */
const positionOf = (
  db: Db,
  { workspace, offset }: { workspace: number; offset: number },
): MaybePromise<Position> =>
  isDeepPage({ offset })
    ? seekPosition(db, workspace, 'contacts', offset)
    : { below: Number.MAX_SAFE_INTEGER, skip: offset };

const findContacts = (
  db: Db,
  page: { workspace: number; limit: number; offset: number },
  search: string,
  tag?: string,
): MaybePromise<Page> => {
  const args = { ...page, text: store.searchable(search), phone: phoneNeedle(search) };
  return tag
    ? db.search.page(lists.searches.tagged, { ...args, tag })
    : db.search.page(lists.searches.plain, args);
};

const numberTaken = (id: string) =>
  new ApiError(
    'CONFLICT',
    `Another contact in this workspace has this phone number: ${id}. Update that contact instead.`,
    {
      existing_contact_id: id,
    },
  );

/** The response to a create does not have the times of contact. */
const createdJson = (row: store.ContactRow): string => {
  const { first_contact_at: _, last_contact_at: __, ...created } = store.contactOf(row);
  return JSON.stringify(created);
};

/** `at` is the time of the first contact, by default now. */
export const createContact = write(
  'createContact',
  async (
    db: Db,
    principal: Principal,
    { source, fields, at }: { source: Source; fields: ContactCreate; at?: string },
  ): Promise<JsonWithEtag & { id: string }> => {
    const { workspace } = principal;
    const now = timestamp();
    const row = store.rowOf({
      workspace_id: workspace,
      id: contactId.create(),
      phone_number: fields.phone_number,
      phone_identity: fields.phone_number,
      phone_conflict: 0,
      first_name: fields.first_name ?? null,
      last_name: fields.last_name ?? null,
      display_name: fields.display_name ?? null,
      email: fields.email ?? null,
      company: fields.company ?? null,
      notes: fields.notes ?? null,
      tags: JSON.stringify(fields.tags ?? []),
      source,
      first_contact_at: at ?? now,
      last_contact_at: at ?? now,
      created_at: now,
      updated_at: now,
    });
    const inserted = await db.get(store.insertContact, row);
    if (!inserted) {
      const existing = await db.get(store.findByIdentity, { workspace, identity: fields.phone_number });
      if (existing) throw numberTaken(existing.id);
      throw new TransactionConflict('The contact that had this number is being deleted. Retry.');
    }
    updateDerivedData(db, { workspace, seq: inserted.seq }, undefined, row);
    recordChange(db, principal, { action: 'contact.created', subject: row.id });
    return { id: row.id, json: createdJson(row), etag: contactTag({ ...row, crm_ids: '{}' }) };
  },
  { batchable: true },
);

/** Locks the contact until the transaction ends, and checks the precondition of the request. */
const lockContact = async (db: Db, workspace: number, id: string, match: IfMatch | undefined) => {
  const found = await db.get(store.selectContactForUpdate, { workspace, id: parseId(id) });
  if (!found) throw notFound('contact');
  assertIfMatch('contact', contactTag(found), match);
  return found;
};

/** The fields of a contact that an update can change. */
const CHANGEABLE = ['phone_number', ...profileTexts, 'tags'] as const;

/** Changes the given fields and returns the whole contact. */
export const updateContact = write(
  'updateContact',
  async (
    db: Db,
    principal: Principal,
    { id, fields, match }: { id: string; fields: ContactUpdate; match?: IfMatch },
  ): Promise<JsonWithEtag> => {
    const { workspace } = principal;
    const before = await lockContact(db, workspace, id, match);
    const { confirm_phone_change: confirmed = false, phone_number, tags, ...texts } = fields;
    const { seq, crm_ids, ...facts } = before;
    const row = store.rowOf({
      ...facts,
      ...texts,
      ...(tags && { tags: JSON.stringify(tags) }),
      ...(phone_number !== undefined && phoneChange(before, phone_number, confirmed)),
      updated_at: timestampAfter(before.updated_at),
    });
    if (row.phone_identity !== null && row.phone_identity !== before.phone_identity) {
      const holder = await db.get(store.findByIdentity, { workspace, identity: row.phone_identity });
      if (holder) throw numberTaken(holder.id);
    }
    await db.run(store.updateContactRow, row);
    updateDerivedData(db, { workspace, seq }, before, row);
    const changed = changedFields<store.ContactRow>(before, row, CHANGEABLE);
    recordChange(db, principal, { action: 'contact.updated', subject: row.id, fields: changed });
    return { json: row.wire, etag: contactTag({ ...row, crm_ids }) };
  },
);

/** The stored number, sent back unchanged, is not a change. */
const phoneChange = (before: store.ContactRow, phone_number: string, confirmed: boolean) => {
  if (phone_number === before.phone_number) return {};
  const message = phoneProblem(phone_number);
  if (message) throw invalid([{ field: 'phone_number', message }]);
  if (before.phone_conflict && !confirmed) {
    throw new ApiError(
      'CONFLICT',
      'The displayed and normalized phone numbers of this contact conflict. To replace both, send confirm_phone_change: true.',
      [{ field: 'confirm_phone_change', message: 'must be true to change the number of this contact.' }],
    );
  }
  return { phone_number, phone_identity: phone_number, phone_conflict: 0 };
};

/** Deletes a contact permanently, with everything that is stored only for it. */
export const deleteContact = write(
  'deleteContact',
  async (db: Db, principal: Principal, { id, match }: { id: string; match?: IfMatch }): Promise<void> => {
    const { workspace } = principal;
    const before = await lockContact(db, workspace, id, match);
    await contactDeleted.emit(db, principal, { id: before.id, identity: before.phone_identity });
    await db.run(store.deleteContactRow, { workspace, id: before.id });
    updateDerivedData(db, { workspace, seq: before.seq }, before, undefined);
    recordChange(db, principal, { action: 'contact.deleted', subject: before.id });
  },
);
