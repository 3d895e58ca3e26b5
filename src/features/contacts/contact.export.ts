import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as lists from './contact.lists.ts';
import type { Contact } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, termsOf } from './contact.terms.ts';
import { conditionsOf, countFiltered, hasFilters } from './list.service.ts';
import type { Conditions } from './list.store.ts';
import { phoneNeedle } from './phone.ts';

/** All contacts, or those that match every given filter. */
export type Selection = ContactFilter;

export interface Steps {
  selection: Selection;
  /** The `seq` at which the previous step ended; 0 for the first. */
  after: number;
}

const STEP = 1_000;

/** The arguments of a step that do not follow from its selection. */
type StepArgs<A> = Omit<A, Exclude<keyof lists.WalkArgs, 'workspace' | 'after' | 'limit'>>;

/** The most selective index for a walk. */
const walkRangeOf = ({ all, company, source, has_email, has_name }: Conditions): lists.WalkRange => {
  if (all !== '[]') return 'tagged';
  if (company) return 'company';
  if (has_name === 'no') return 'withoutName';
  if (source) return 'source';
  return has_email === 'no' ? 'withoutEmail' : 'all';
};

const nextRows = <A extends lists.WalkArgs, R>(
  db: Db,
  walk: lists.WalkStatements<A, R>,
  selection: Selection,
  step: StepArgs<A>,
): MaybePromise<R[]> => {
  const { words, search } = termsOf(selection.search ?? '');
  const conditions = { ...conditionsOf(selection), words };
  const needle = { text: store.searchable(search), phone: search ? phoneNeedle(search) : null };
  const [tag = ''] = JSON.parse(conditions.all) as string[];
  const args = { ...step, ...needle, ...conditions, tag } as unknown as A;
  const isFiltered = hasFilters(selection) || words !== '[]';
  if (search) return db.search.all(walk.search[isFiltered || tag ? 'filtered' : 'plain'], args);
  if (isFiltered) return db.all(walk.filtered[walkRangeOf(conditions)], args);
  return db.all(tag ? walk.tagged : walk.all, args);
};

/** The ids of the next thousand contacts of a selection, oldest first; `next` is undefined after the last. */
export const walkContacts = longRead(
  'walkContacts',
  async (
    db: Db,
    { workspace }: Principal,
    { selection, after }: Steps,
  ): Promise<{ ids: string[]; next: number | undefined }> => {
    const step = { workspace, after, limit: STEP };
    const rows = await nextRows(db, lists.walks.ids, selection, step);
    return { ids: rows.map(({ id }) => id), next: rows.length < STEP ? undefined : rows.at(-1)?.seq };
  },
);

/** The next contacts of a selection, oldest first. */
export const nextSelected = (
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  { selection, after, limit }: ExportStep,
): MaybePromise<lists.WalkRow[]> => nextRows(db, lists.walks.ids, selection, { workspace, after, limit });

/** The exact number of contacts of a selection. */
export const countSelection = (db: Db, principal: Principal, selection: Selection): Promise<number> =>
  countFiltered(db, principal, selection);

/** How many of some ids are those of contacts. */
export const countByIds = async (db: Db, { workspace }: Principal, ids: string[]): Promise<number> =>
  ids.length === 0
    ? 0
    : Number((await db.get(lists.countById, { workspace, ids: JSON.stringify(ids) }))?.count);

export type ExportedContact = Contact & { normalized_phone: string | null };

export interface ExportStep extends Steps {
  limit: number;
}

/** Limits the memory of an export and how long formatting blocks the event loop. */
const STEP_BYTES = 131_072;

const exportedOf = ({ wire, phone_identity }: Pick<lists.ExportRow, 'wire' | 'phone_identity'>) => {
  const contact = JSON.parse(wire) as Contact;
  return { ...contact, normalized_phone: phone_identity === contact.phone_number ? null : phone_identity };
};

/** The contacts with some ids, oldest first. */
export const exportByIds = longRead(
  'exportByIds',
  async (db: Db, { workspace }: Principal, { ids }: { ids: string[] }): Promise<ExportedContact[]> =>
    (await db.all(lists.recordsById, { workspace, ids: JSON.stringify(ids) })).map(exportedOf),
);

/** The next contacts of a selection, as many as fit into `STEP_BYTES`, with the normalized number if it differs from the
 *  displayed one; `next` is undefined after the last. */
export const exportStep = longRead(
  'exportStep',
  async (
    db: Db,
    { workspace }: Principal,
    { selection, after, limit }: ExportStep,
  ): Promise<{ contacts: ExportedContact[]; next: number | undefined }> => {
    const step = { workspace, after, limit, bytes: STEP_BYTES };
    const rows = await nextRows(db, lists.walks.records, selection, step);
    const contacts = rows.map(exportedOf);
    const found = Number(rows[0]?.found ?? 0);
    return { contacts, next: found < limit && rows.length === found ? undefined : rows.at(-1)?.seq };
  },
);
