import type { Db } from '../../db/db.ts';
import { invalid } from '../../lib/errors.ts';
import { recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { selectContactForUpdate, setCrmIds } from './contact.store.ts';

const MAX_CRM_IDS = 50;

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
  await db.run(setCrmIds, { workspace, id, crm_ids: JSON.stringify(Object.fromEntries(entries)) });
  recordChange(db, principal, { action: 'contact.updated', subject: id, fields: ['crm_ids'] });
};
