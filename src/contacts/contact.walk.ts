import type { Db } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './contact.store.ts';
import { phoneNeedle } from './phone.ts';

/** Which contacts: those with a tag, or those that a search finds. */
export type Selection = { tag: string } | { search: string };

export interface Steps {
  selection: Selection;
  /** Where the last step ended; 0 for the first. */
  after: number;
}

const STEP = 1_000;

/** The next thousand contacts of a selection, as ids; `next` is undefined after the last. */
export const walkContacts = async (
  db: Db,
  { workspace }: Principal,
  { selection, after }: Steps,
): Promise<{ ids: string[]; next: number | undefined }> => {
  const step = { workspace, after, limit: STEP, text: '', phone: null, tag: '' };
  const rows = await ('tag' in selection
    ? db.all(store.walks.tagged, { ...step, tag: selection.tag })
    : find(db, step, selection.search));
  return { ids: rows.map(({ id }) => id), next: rows.length < STEP ? undefined : rows.at(-1)?.seq };
};

const find = (db: Db, step: store.WalkArgs, search: string) => {
  const { indexed, ...needle } = db.can.needle({
    text: store.searchable(search),
    phone: phoneNeedle(search),
  });
  return db.all(store.walks[indexed ? 'indexed' : 'scanned'], { ...step, ...needle });
};
