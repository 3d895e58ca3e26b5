import type { Db } from '../../db/db.ts';
import { invalidField } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { MAX_CRM_IDS } from './contact.schema.ts';
import type { StoredContact } from './contact.store.ts';
import { writeContacts } from './contact.write.ts';

/** The id of a contact by CRM, by the column `crm_ids`. */
export const crmIdOf = (crm_ids: string, crm: string): string | null => {
  const ids = JSON.parse(crm_ids) as Record<string, string>;
  return Object.hasOwn(ids, crm) ? (ids[crm] ?? null) : null;
};

/** The column `crm_ids` with another id of one CRM, or without it. */
export const withCrmId = (crm_ids: string, crm: string, id: string | null): string => {
  const { [crm]: _, ...others } = JSON.parse(crm_ids) as Record<string, string>;
  return JSON.stringify(id === null ? others : { ...others, [crm]: id });
};

export const countCrmIds = (crm_ids: string): number => Object.keys(JSON.parse(crm_ids)).length;

/** Merges ids by CRM name into those of a locked contact; null removes one. */
export const mergeCrmIds = async (
  db: Db,
  principal: Principal,
  before: StoredContact,
  ids: Readonly<Record<string, string | null>>,
): Promise<StoredContact> => {
  const merged = { ...(JSON.parse(before.crm_ids) as Record<string, string>), ...ids };
  const entries = Object.entries(merged).filter(([, identifier]) => identifier !== null);
  if (entries.length > MAX_CRM_IDS) {
    const message = `must have at most ${MAX_CRM_IDS} entries in total. Send null to remove one.`;
    throw invalidField('crm_ids', message);
  }
  const after = { ...before, crm_ids: JSON.stringify(Object.fromEntries(entries)) };
  await writeContacts(db, principal, [{ before, after }], { isAudited: true });
  return after;
};
