import type { Db } from '../../db/db.ts';
import { invalid } from '../../lib/errors.ts';
import { record } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { selectContactForUpdate, setCrmIds } from './contact.store.ts';

const MAX = 50;

/** Merges identifiers of CRMs by name into those of a contact; null removes one. */
export const mergeCrmIds = async (
  db: Db,
  principal: Principal,
  { id, crm_ids }: { id: string; crm_ids: Record<string, string | null> },
): Promise<void> => {
  const { workspace } = principal;
  const row = await db.get(selectContactForUpdate, { workspace, id });
  if (!row) return;
  const merged = { ...(JSON.parse(row.crm_ids) as Record<string, string>), ...crm_ids };
  const kept = Object.entries(merged).filter(([, identifier]) => identifier !== null);
  if (kept.length > MAX) {
    throw invalid([
      { field: 'crm_ids', message: `must have at most ${MAX} entries in total. Send null to remove one.` },
    ]);
  }
  await db.run(setCrmIds, { workspace, id, crm_ids: JSON.stringify(Object.fromEntries(kept)) });
  record(db, principal, { action: 'contact.updated', subject: id, fields: ['crm_ids'] });
};
