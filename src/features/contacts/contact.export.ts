import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { type Condition, equalTo, type View } from '../../records/list.declaration.ts';
import type { FieldValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { conditionsOf, resolved } from './contact.filters.ts';
import * as lists from './contact.lists.ts';
import { type Contact, laterTexts, type ProfileText } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, needleOf, termsOf, wordsOf } from './contact.terms.ts';
import { planContacts } from './filter.ranges.ts';
import { contactList } from './list.store.ts';

/** Contacts by their ids, or those that match every given filter. */
export interface Selection {
  readonly filter?: ContactFilter;
  readonly ids?: readonly string[];
  readonly except?: readonly string[];
  /** Contacts that were created later are left out. */
  readonly created_until?: string | undefined;
}

const conditionsIn = ({ filter = {}, ids, except = [], created_until }: Selection): Condition[] => [
  ...(ids ? [{ filter: 'ids', value: JSON.stringify(ids) }] : []),
  ...(except.length > 0 ? [{ not: { filter: 'ids', value: JSON.stringify(except) } }] : []),
  ...equalTo({ created_until }),
  ...conditionsOf(filter),
];

interface Step {
  readonly selection: Selection;
  /** The `seq` at which the previous step ended; 0 for the first. */
  readonly after: number;
  readonly limit: number;
}

const nextRows = async <R>(
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  view: View<R>,
  { selection: given, after, limit, bytes = 0 }: Step & { bytes?: number },
): Promise<R[]> => {
  const selection = { ...given, filter: await resolved(db, { workspace }, given.filter ?? {}) };
  const terms = termsOf(selection.filter?.search ?? '');
  const conditions = [...conditionsIn(selection), ...wordsOf(terms)];
  if (terms.search) {
    const plan = contactList.plan(conditions, 'oldest');
    const args = { ...plan.args, ...needleOf(terms.search), workspace, after, limit, bytes };
    return db.search.all(lists.walkSearch(view, plan), args);
  }
  const { ranges } = selection.filter;
  const plan = await planContacts(db, workspace, { conditions, ranges, order: 'oldest' });
  return contactList.page(db, plan, view, {
    workspace,
    limit,
    after: { key: '', seq: after },
    view: { bytes },
  });
};

/** The next contacts of a selection, oldest first. */
export const walkContacts = longRead(
  'walkContacts',
  async (db, principal: Pick<Principal, 'workspace'>, step: Step): Promise<lists.WalkRow[]> =>
    nextRows(db, principal, lists.walks.ids, step),
);

/** How many of some ids are those of contacts. */
export const countByIds = async (db: Db, { workspace }: Principal, ids: string[]): Promise<number> =>
  (await db.all(store.findIdentities, { workspace, keys: JSON.stringify(ids) })).length;

export type ExportedContact = Contact &
  Record<ProfileText | 'normalized_phone', string | null> & { readonly fields: FieldValues };

/** Limits the memory of an export and how long formatting blocks the event loop. */
const STEP_BYTES = 131_072;

const exportedOf = ({ wire, phone_identity, fields, ...row }: lists.ExportRow): ExportedContact => {
  const contact = JSON.parse(wire) as Contact;
  const normalized_phone = phone_identity === contact.phone_number ? null : phone_identity;
  return { ...contact, normalized_phone, ...pickColumns(row, laterTexts), fields: JSON.parse(fields) };
};

/** The next contacts of a selection, as many as fit into `STEP_BYTES`, with the normalized number if it differs from the
 *  displayed one; `next` is undefined after the last. */
export const exportStep = longRead('exportStep', async (db, principal: Principal, step: Step) => {
  const rows = await nextRows(db, principal, lists.walks.records, { ...step, bytes: STEP_BYTES });
  const records = rows.map(exportedOf);
  const found = Number(rows[0]?.found ?? 0);
  return { records, next: found < step.limit && rows.length === found ? undefined : rows.at(-1)?.seq };
});
