import type { Db } from '../../db/db.ts';
import { longRead, read } from '../../db/operation.ts';
import { notFound } from '../../lib/errors.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { labelOf } from './agent.store.ts';
import { requireAgentId, requireVersionId, type VersionKey } from './deploy.service.ts';
import { countVersions } from './deploy.store.ts';
import * as store from './version.store.ts';

/** Emails of users are shown to other users, and to keys that manage users. */
const originOf = (principal: Principal, row: store.OriginRow) => ({
  version_id: row.id,
  version_label: labelOf(row.number),
  created_at: row.created_at,
  created_by: row.created_by,
  created_by_email: isKeyWithout(principal, 'admin') ? null : row.created_by_email,
  created_by_key_name: row.created_by_key_name,
  based_on:
    row.base_id === null || row.base_number === null
      ? null
      : {
          agent_id: row.base_agent_id,
          agent_name: row.base_agent_name,
          agent_deleted: row.base_agent_deleted_at !== null,
          version_id: row.base_id,
          version_label: labelOf(row.base_number),
        },
});

/** Who wrote a version, and which version it was edited or copied from. */
export const getOrigin = read('getOrigin', async (db: Db, principal: Principal, key: VersionKey) => {
  const version = await requireVersionId(db, principal, key);
  const found = await db.get(store.findOrigin, { workspace: principal.workspace, version });
  if (!found) throw notFound('version of this agent');
  return originOf(principal, found);
});

/** The origins of one page of versions, newest first. */
export const listOrigins = longRead(
  'listOrigins',
  async (
    db: Db,
    principal: Principal,
    { agent, query }: { agent: string; query: Partial<PageRequest> },
  ): Promise<Page> => {
    const key = { workspace: principal.workspace, agent: await requireAgentId(db, principal, agent) };
    const rows = await db.all(store.listOriginRows, { ...key, ...pageRequestOf(query) });
    return {
      json: rows.map((row) => JSON.stringify(originOf(principal, row))).join(','),
      total: (await db.get(countVersions, key))?.count ?? 0,
    };
  },
);
