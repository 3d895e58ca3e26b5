import { type RawBuilder, sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';
import type { VersionRow } from './agent.store.ts';

/** Deploys are numbered within their agent, and their times increase. */
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

const statement = statementsOver<object>();

type AgentKey = { workspace: number; agent: string };
type VersionKey = AgentKey & { version: string };

export const archiveDeployed = statement(
  (_, { workspace, agent }: AgentKey) => sql<never>`
    update agent_versions set status = 'archived'
    where workspace_id = ${workspace} and agent_id = ${agent} and status = 'deployed'`,
);

export const markDeployed = statement(
  (_, { workspace, agent, version }: VersionKey) => sql<never>`
    update agent_versions set status = 'deployed'
    where workspace_id = ${workspace} and id = ${version} and agent_id = ${agent}`,
);

/** A user or a key deploys. */
const deployer = (deploy: string, workspace: number) =>
  sql`left join users as u on u.workspace_id = ${workspace} and u.id = ${sql.ref(`${deploy}.deployed_by`)}
    left join keys as k on k.workspace_id = ${workspace} and k.id = ${sql.ref(`${deploy}.deployed_by`)}`;

const deployerNames = sql`u.email as deployed_by_email, k.name as deployed_by_key_name`;

/** The email is null for a key, and after the user was removed. The name is null for a user. */
export type DeployedBy = { deployed_by_email: string | null; deployed_by_key_name: string | null };

export const findLastDeploy = statement(
  (_, { workspace, agent }: AgentKey) => sql<
    Pick<DeployRow, 'number' | 'previous_version_id' | 'deployed_at' | 'deployed_by' | 'note'> & DeployedBy
  >`
    select d.number, d.previous_version_id, d.deployed_at, d.deployed_by, d.note, ${deployerNames}
    from deploys as d ${deployer('d', workspace)}
    where d.workspace_id = ${workspace} and d.agent_id = ${agent} order by d.number desc limit 1`,
);

export const insertDeploy = rowsOf<DeployRow>({ table: 'deploys' }).insert([
  'workspace_id',
  'agent_id',
  'number',
  'version_id',
  'previous_version_id',
  'deployed_at',
  'deployed_by',
  'note',
]);

type PageArgs = { limit: number; offset: number };

/** Newest first, with the numbers of both versions, and until when each was active. */
const withVersions = (workspace: number, deploys: RawBuilder<unknown>) => sql<
  DeployRow &
    DeployedBy & { version_number: number; previous_number: number | null; active_until: string | null }
>`
    select d.*, v.number as version_number, p.number as previous_number, n.deployed_at as active_until,
      ${deployerNames}
    from (${deploys}) as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    left join agent_versions as p on p.workspace_id = ${workspace} and p.id = d.previous_version_id
    left join deploys as n on n.workspace_id = ${workspace} and n.agent_id = d.agent_id and n.number = d.number + 1
    ${deployer('d', workspace)}
    order by d.number desc`;

export const listDeployRows = statement(
  (_, { workspace, agent, limit, offset }: AgentKey & PageArgs) =>
    withVersions(
      workspace,
      sql`select * from deploys where workspace_id = ${workspace} and agent_id = ${agent}
        order by number desc limit ${limit} offset ${offset}`,
    ),
  { planOnce: false },
);

type OfVersion = { workspace: number; version: string };

export const listDeployRowsOfVersion = statement(
  (_, { workspace, version, limit, offset }: OfVersion & PageArgs) =>
    withVersions(
      workspace,
      sql`select * from deploys where workspace_id = ${workspace} and version_id = ${version}
        order by number desc limit ${limit} offset ${offset}`,
    ),
  { planOnce: false },
);

export const countDeploysOfVersion = statement(
  (_, { workspace, version }: OfVersion) => sql<{ count: number }>`
    select count(*) as count from deploys where workspace_id = ${workspace} and version_id = ${version}`,
);

/** The version that was deployed last at or before a time. */
export const findActiveAt = statement(
  (_, { workspace, agent, at }: AgentKey & { at: string }) => sql<
    VersionRow & DeployedBy & Pick<DeployRow, 'deployed_at' | 'deployed_by' | 'note'>
  >`
    select v.*, d.deployed_at, d.deployed_by, d.note, ${deployerNames} from deploys as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    ${deployer('d', workspace)}
    where d.workspace_id = ${workspace} and d.agent_id = ${agent} and d.deployed_at <= ${at}
    order by d.number desc limit 1`,
);

export const findActiveIdAt = statement(
  (_, { workspace, agent, at }: AgentKey & { at: string }) => sql<{ id: string }>`
    select version_id as id from deploys
    where workspace_id = ${workspace} and agent_id = ${agent} and deployed_at <= ${at}
    order by number desc limit 1`,
);

export const listRecent = statement(
  (_, { workspace, limit, offset }: { workspace: number } & PageArgs) => sql<
    DeployRow &
      DeployedBy & {
        agent_name: string;
        agent_deleted_at: string | null;
        version_number: number;
        previous_number: number | null;
      }
  >`
    select d.*, a.name as agent_name, a.deleted_at as agent_deleted_at, v.number as version_number,
      p.number as previous_number, ${deployerNames}
    from (
      select * from deploys where workspace_id = ${workspace}
      order by deployed_at desc, agent_id desc limit ${limit} offset ${offset}
    ) as d
    join agents as a on a.workspace_id = ${workspace} and a.id = d.agent_id
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    left join agent_versions as p on p.workspace_id = ${workspace} and p.id = d.previous_version_id
    ${deployer('d', workspace)}
    order by d.deployed_at desc, d.agent_id desc`,
  { planOnce: false },
);

export const countDeploys = statement(
  (_, { workspace }: { workspace: number }) =>
    sql<{ count: number }>`select count(*) as count from deploys where workspace_id = ${workspace}`,
);

/** A version without its instructions, and its last deploy, if there is one. */
export type ListedVersion = Pick<VersionRow, 'id' | 'number' | 'status' | 'created_at'> &
  Partial<DeployedBy> & { deployed_at: string | null; deployed_by: string | null; note: string | null };

/** Newest first. */
export const listVersionRows = statement(
  (_, { workspace, agent, limit, offset }: AgentKey & PageArgs) => sql<ListedVersion>`
    select v.id, v.number, v.status, v.created_at, d.deployed_at, d.deployed_by, d.note, ${deployerNames}
    from (
      select id, number, status, created_at, (
        select max(l.number) from deploys as l where l.workspace_id = ${workspace} and l.version_id = agent_versions.id
      ) as last
      from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}
      order by number desc limit ${limit} offset ${offset}
    ) as v
    left join deploys as d on d.workspace_id = ${workspace} and d.agent_id = ${agent} and d.number = v.last
    ${deployer('d', workspace)}
    order by v.number desc`,
);

/** Versions are numbered without gaps. */
export const countVersions = statement(
  (_, { workspace, agent }: AgentKey) => sql<{ count: number | null }>`
    select max(number) as count from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}`,
);

/** Agents with a deployed version. */
export const countActive = statement(
  (_, { workspace }: { workspace: number }) => sql<{ count: number }>`
    select count(*) as count from agent_versions as v
    join agents as a on a.workspace_id = ${workspace} and a.id = v.agent_id and a.deleted_at is null
    where v.workspace_id = ${workspace} and v.status = 'deployed'`,
);
