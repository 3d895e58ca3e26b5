import type { Db } from '../../db/db.ts';
import { invalid } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import { recordContact } from './contact.derived.ts';
import { MAX_CRM_IDS } from './contact.schema.ts';
import { selectContactForUpdate, setCrmIds } from './contact.store.ts';

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

/** Merges ids by CRM name into those of a contact; null removes one. */
export const mergeCrmIds = async (
  db: Db,
  principal: Principal,
  { id, crm_ids }: { id: string; crm_ids: Record<string, string | null> },
): Promise<void> => {
  const { workspace } = principal;
  const row = await db.get(selectContactForUpdate, { workspace, id });
  if (!row) return;
  const merged = { ...(JSON.parse(row.crm_ids) as Record<string, string>), ...crm_ids };
  const entries = Object.entries(merged).filter(([, identifier]) => identifier !== null);
  if (entries.length > MAX_CRM_IDS) {
    throw invalid([
      {
        field: 'crm_ids',
        message: `must have at most ${MAX_CRM_IDS} entries in total. Send null to remove one.`,
      },
    ]);
  }
  const json = JSON.stringify(Object.fromEntries(entries));
  await db.run(setCrmIds, { workspace, id, crm_ids: json });
  recordContact(db, principal, { crm_ids: json, isAudited: true }, row, row, ['crm_ids']);
};
