import type { Db } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as lists from './contact.lists.ts';
import type { Contact } from './contact.schema.ts';
import * as store from './contact.store.ts';
import { phoneNeedle } from './phone.ts';

/** Which contacts: all, or those with a tag, those that a search finds, those of both. */
export interface Selection {
  readonly tag?: string | undefined;
  readonly search?: string | undefined;
}

export interface Steps {
  selection: Selection;
  /** Where the last step ended; 0 for the first. */
  after: number;
}

const STEP = 1_000;

/** The next thousand contacts of a selection, oldest first; `next` is undefined after the last. */
const walk = async (db: Db, { workspace }: Principal, { selection, after }: Steps) => {
  const { tag = '', search } = selection;
  const step = { workspace, after, limit: STEP, text: '', phone: null, tag };
  const rows = await (search
    ? find(db, step, search)
    : db.all(tag ? lists.walks.tagged : lists.walks.all, step));
  return { rows, next: rows.length < STEP ? undefined : rows.at(-1)?.seq };
};

const find = (db: Db, step: lists.WalkArgs, search: string) => {
  const { indexed, ...needle } = db.can.needle({
    text: store.searchable(search),
    phone: phoneNeedle(search),
  });
  const how = indexed ? 'indexed' : 'scanned';
  return db.all(lists.walks[step.tag ? (`${how}Tagged` as const) : how], { ...step, ...needle });
};

/** The ids alone. */
export const walkContacts = async (
  db: Db,
  principal: Principal,
  steps: Steps,
): Promise<{ ids: string[]; next: number | undefined }> => {
  const { rows, next } = await walk(db, principal, steps);
  return { ids: rows.map(({ id }) => id), next };
};

export type ExportedContact = Contact & { normalized_phone: string | null };

/** The contacts, with the normalized number where it is not the one that is shown. */
export const exportStep = async (
  db: Db,
  principal: Principal,
  steps: Steps,
): Promise<{ contacts: ExportedContact[]; next: number | undefined }> => {
  const { rows, next } = await walk(db, principal, steps);
  const contacts = rows.map(({ wire, phone_identity }) => {
    const contact = JSON.parse(wire) as Contact;
    return { ...contact, normalized_phone: phone_identity === contact.phone_number ? null : phone_identity };
  });
  return { contacts, next };
};
