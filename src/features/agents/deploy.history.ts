import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import type { Principal } from '../workspaces/principal.ts';
import { labelOf } from './agent.store.ts';
import { deployerOf, requireAgentId, requireVersionId, type VersionKey } from './deploy.service.ts';
import * as store from './deploy.store.ts';

type DeployNumbers = { version_number: number; previous_number: number | null };

const labelOrNull = (number: number | null) => (number === null ? null : labelOf(number));

const recordOf = (
  principal: Principal,
  row: store.DeployRow & store.DeployedBy & DeployNumbers & { active_until: string | null },
) => ({
  version_id: row.version_id,
  version_label: labelOf(row.version_number),
  previous_version_id: row.previous_version_id,
  previous_version_label: labelOrNull(row.previous_number),
  deployed_at: row.deployed_at,
  active_until: row.active_until,
  deployed_by: row.deployed_by,
  ...deployerOf(principal, row),
  note: row.note,
});

const pageOf = (records: readonly object[], total: number): Page => ({
  json: records.map((record) => JSON.stringify(record)).join(','),
  total,
});

export const listDeploys = longRead(
  'listDeploys',
  async (
    db: Db,
    principal: Principal,
    { agent, query }: { agent: string; query: Partial<PageRequest> },
  ): Promise<Page> => {
    const key = { workspace: principal.workspace, agent: await requireAgentId(db, principal, agent) };
    const rows = await db.all(store.listDeployRows, { ...key, ...pageRequestOf(query) });
    const records = rows.map((row) => recordOf(principal, row));
    // Deploys are numbered without gaps.
    return pageOf(records, (await db.get(store.findLastDeploy, key))?.number ?? 0);
  },
);

/** The deploys of one version. */
export const listVersionDeploys = longRead(
  'listVersionDeploys',
  async (
    db: Db,
    principal: Principal,
    { query, ...key }: VersionKey & { query: Partial<PageRequest> },
  ): Promise<Page> => {
    const which = { workspace: principal.workspace, version: await requireVersionId(db, principal, key) };
    const rows = await db.all(store.listDeployRowsOfVersion, { ...which, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countDeploysOfVersion, which))?.count);
    return pageOf(
      rows.map((row) => recordOf(principal, row)),
      total,
    );
  },
);

/** One page of the versions of an agent without their instructions, each with its last deploy. */
export const listVersions = longRead(
  'listVersions',
  async (
    db: Db,
    principal: Principal,
    { agent, query }: { agent: string; query: Partial<PageRequest> },
  ): Promise<Page> => {
    const key = { workspace: principal.workspace, agent: await requireAgentId(db, principal, agent) };
    const rows = await db.all(store.listVersionRows, { ...key, ...pageRequestOf(query) });
    const records = rows.map((row) => ({
      id: row.id,
      version_label: labelOf(row.number),
      deployment_status: row.status,
      created_at: row.created_at,
      deployed_at: row.deployed_at,
      deployed_by: row.deployed_by,
      ...deployerOf(principal, row),
      note: row.note,
    }));
    return pageOf(records, (await db.get(store.countVersions, key))?.count ?? 0);
  },
);

/** The last deploys of the workspace, including those of deleted agents. */
export const recentDeploys = async (db: Db, principal: Principal, window: PageRequest) =>
  (await db.all(store.listRecent, { workspace: principal.workspace, ...window })).map((row) => ({
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    agent_deleted: row.agent_deleted_at !== null,
    version_id: row.version_id,
    version_label: labelOf(row.version_number),
    previous_version_label: labelOrNull(row.previous_number),
    deployed_at: row.deployed_at,
    deployed_by: row.deployed_by,
    ...deployerOf(principal, row),
    note: row.note,
  }));

export const listRecentDeploys = longRead(
  'listRecentDeploys',
  async (db: Db, principal: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const records = await recentDeploys(db, principal, pageRequestOf(query));
    return pageOf(
      records,
      Number((await db.get(store.countDeploys, { workspace: principal.workspace }))?.count),
    );
  },
);

export const countActiveAgents = async (db: Db, { workspace }: Principal): Promise<number> =>
  Number((await db.get(store.countActive, { workspace }))?.count);
