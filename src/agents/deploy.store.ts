import { sql } from 'kysely';
import { statementsOver } from '../storage/statement.ts';
import type { VersionRow } from './agent.store.ts';

/** One deploy of one version. They are numbered within the agent; their times only ever go forward. */
export type DeployRow = {
  workspace_id: number;
  agent_id: string;
  number: number;
  version_id: string;
  previous_version_id: string | null;
  deployed_at: string;
  deployed_by: string;
  note: string | null;
};

const statement = statementsOver<{ deploys: DeployRow; agent_versions: VersionRow }>();

type AgentKey = { workspace: number; agent: string };
type VersionKey = AgentKey & { version: string };

export const findVersion = statement((query, { workspace, agent, version }: VersionKey) =>
  query
    .selectFrom('agent_versions')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('id', '=', version)
    .where('agent_id', '=', agent),
);

export const archiveDeployed = statement((query, { workspace, agent }: AgentKey) =>
  query
    .updateTable('agent_versions')
    .set({ status: sql.lit('archived' as const) })
    .where('workspace_id', '=', workspace)
    .where('agent_id', '=', agent)
    .where('status', '=', sql.lit('deployed' as const)),
);

export const markDeployed = statement((query, { workspace, agent, version }: VersionKey) =>
  query
    .updateTable('agent_versions')
    .set({ status: sql.lit('deployed' as const) })
    .where('workspace_id', '=', workspace)
    .where('id', '=', version)
    .where('agent_id', '=', agent),
);

export const findLastDeploy = statement((query, { workspace, agent }: AgentKey) =>
  query
    .selectFrom('deploys')
    .select(['number', 'previous_version_id', 'deployed_at', 'deployed_by', 'note'])
    .where('workspace_id', '=', workspace)
    .where('agent_id', '=', agent)
    .orderBy('number', 'desc')
    .limit(sql.lit(1)),
);

export const insertDeploy = statement((query, row: DeployRow) =>
  query.insertInto('deploys').values({
    workspace_id: row.workspace_id,
    agent_id: row.agent_id,
    number: row.number,
    version_id: row.version_id,
    previous_version_id: row.previous_version_id,
    deployed_at: row.deployed_at,
    deployed_by: row.deployed_by,
    note: row.note,
  }),
);

/** The deploys of an agent, newest first, with the labels of both versions. */
export const listDeployRows = statement(
  (_, { workspace, agent }: AgentKey) => sql<
    DeployRow & { version_number: number; previous_number: number | null }
  >`
    select d.*, v.number as version_number, p.number as previous_number
    from deploys as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    left join agent_versions as p on p.workspace_id = ${workspace} and p.id = d.previous_version_id
    where d.workspace_id = ${workspace} and d.agent_id = ${agent}
    order by d.number desc`,
);

/** The version that was deployed last at or before a moment. */
export const findActiveAt = statement(
  (_, { workspace, agent, at }: AgentKey & { at: string }) => sql<VersionRow & { deployed_at: string }>`
    select v.*, d.deployed_at from deploys as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    where d.workspace_id = ${workspace} and d.agent_id = ${agent} and d.deployed_at <= ${at}
    order by d.number desc limit 1`,
);

/** The last deploys of a workspace, whatever the agent. */
export const listRecent = statement(
  (_, { workspace }: { workspace: number }) => sql<
    DeployRow & { agent_name: string; version_number: number }
  >`
    select d.*, a.name as agent_name, v.number as version_number from deploys as d
    join agents as a on a.workspace_id = ${workspace} and a.id = d.agent_id
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    where d.workspace_id = ${workspace} order by d.deployed_at desc limit 10`,
);
