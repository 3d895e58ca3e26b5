import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as lists from './contact.lists.ts';
import type { Contact } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, isPlain, type Terms, termsOf } from './contact.terms.ts';
import { phoneNeedle } from './phone.ts';

/** Which contacts: all, or those that fit every filter that is given. */
export type Selection = ContactFilter;

export interface Steps {
  selection: Selection;
  /** Where the last step ended; 0 for the first. */
  after: number;
}

const STEP = 1_000;

/** The statement that finds the contacts of a company or of several words, and what it looks for. */
export const wordsOf = (db: Db, { search }: Terms) => {
  if (!search) return { filter: 'company' as const, text: '', phone: null };
  const { indexed, ...needle } = db.can.needle({
    text: store.searchable(search),
    phone: phoneNeedle(search),
  });
  return { filter: indexed ? ('indexedWords' as const) : ('scannedWords' as const), ...needle };
};

/** The statement that goes through a selection, and what it looks for. */
const filterOf = (db: Db, selection: Selection) => {
  const { tag = '', company = '' } = selection;
  const terms = termsOf(selection.search ?? '');
  const { search, words } = terms;
  const rest = { tag, company, words };
  if (!isPlain(selection, terms)) return { ...rest, ...wordsOf(db, terms) };
  if (!search)
    return { filter: tag ? ('tagged' as const) : ('all' as const), text: '', phone: null, ...rest };
  const { indexed, ...needle } = db.can.needle({
    text: store.searchable(search),
    phone: phoneNeedle(search),
  });
  const how = indexed ? ('indexed' as const) : ('scanned' as const);
  return { filter: tag ? (`${how}Tagged` as const) : how, ...needle, ...rest };
};

/** The ids of the next thousand contacts of a selection, oldest first; `next` is undefined after the last. */
export const walkContacts = longRead(
  'walkContacts',
  async (
    db: Db,
    { workspace }: Principal,
    { selection, after }: Steps,
  ): Promise<{ ids: string[]; next: number | undefined }> => {
    const { filter, ...wanted } = filterOf(db, selection);
    const rows = await db.all(lists.walks.ids[filter], { workspace, ...wanted, after, limit: STEP });
    return { ids: rows.map(({ id }) => id), next: rows.length < STEP ? undefined : rows.at(-1)?.seq };
  },
);

export type ExportedContact = Contact & { normalized_phone: string | null };

export interface ExportStep extends Steps {
  /** At most so many contacts. */
  limit: number;
}

/** The size of a step: what an export holds in memory, and how long it formats without a pause. */
const STEP_BYTES = 131_072;

/** The next contacts of a selection, as many as `STEP_BYTES` hold, with the normalized number where it is not the one that is
 *  shown; `next` is undefined after the last. */
export const exportStep = longRead(
  'exportStep',
  async (
    db: Db,
    { workspace }: Principal,
    { selection, after, limit }: ExportStep,
  ): Promise<{ contacts: ExportedContact[]; next: number | undefined }> => {
    const { filter, ...wanted } = filterOf(db, selection);
    const step = { workspace, ...wanted, after, limit, bytes: STEP_BYTES };
    const rows = await db.all(lists.walks.records[filter], step);
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
