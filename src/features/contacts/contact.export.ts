import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as lists from './contact.lists.ts';
import type { Contact } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, isPlain, termsOf } from './contact.terms.ts';
import { phoneNeedle } from './phone.ts';

/** All contacts, or those that match every given filter. */
export type Selection = ContactFilter;

export interface Steps {
  selection: Selection;
  /** The `seq` at which the previous step ended; 0 for the first. */
  after: number;
}

const STEP = 1_000;

/** The arguments that a selection adds to a step. */
type OfSelection = 'tag' | 'company' | 'words' | 'text' | 'phone';

const nextRows = <A extends lists.WalkArgs, R>(
  db: Db,
  walk: lists.WalkStatements<A, R>,
  selection: Selection,
  step: Omit<A, OfSelection>,
): MaybePromise<R[]> => {
  const { tag = '', company = '' } = selection;
  const terms = termsOf(selection.search ?? '');
  const { words, search } = terms;
  const needle = { text: store.searchable(search), phone: search ? phoneNeedle(search) : null };
  const args = { ...step, ...needle, tag, company, words } as unknown as A;
  if (!search) return db.all(company ? walk.company : tag ? walk.tagged : walk.all, args);
  const kind = !isPlain(selection, terms) ? 'filtered' : tag ? 'tagged' : 'plain';
  return db.search.all(walk.search[kind], args);
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

export type ExportedContact = Contact & { normalized_phone: string | null };

export interface ExportStep extends Steps {
  limit: number;
}

/** Limits the memory of an export and how long formatting blocks the event loop. */
const STEP_BYTES = 131_072;

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
    const contacts = rows.map(({ wire, phone_identity }) => {
      const contact = JSON.parse(wire) as Contact;
      return {
        ...contact,
        normalized_phone: phone_identity === contact.phone_number ? null : phone_identity,
      };
    });
    const found = Number(rows[0]?.found ?? 0);
    return { contacts, next: found < limit && rows.length === found ? undefined : rows.at(-1)?.seq };
  },
);
