import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { equals } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import { type Version, type VersionRow, versionText } from './agent.store.ts';

/** Deploys are numbered within their agent, and their times increase. */
const columns = {
  workspace_id: number,
  agent_id: text,
  number,
  version_id: text,
  previous_version_id: textOrNull,
  deployed_at: text,
  deployed_by: text,
  note: textOrNull,
};
export type DeployRow = typeof columns;

type AgentKey = { workspace: number; agent: string };

const versions = rowsOf<VersionRow>({ table: 'agent_versions' });
export const setStatus = versions.set(['status'], { by: { id: 'id', agent: 'agent_id' } });

/** A user or a key deploys. */
export const deployer = (deploy: string, workspace: number) =>
  sql`left join users as u on u.workspace_id = ${workspace} and u.id = ${sql.ref(`${deploy}.deployed_by`)}
    left join keys as k on k.workspace_id = ${workspace} and k.id = ${sql.ref(`${deploy}.deployed_by`)}`;

export const deployerNames = sql`u.email as deployed_by_email, k.name as deployed_by_key_name`;

/** The email is null for a key, and after the user was removed. The name is null for a user. */
export type DeployedBy = { deployed_by_email: string | null; deployed_by_key_name: string | null };

/** The columns that say who deployed a version, when and why. */
export const DEPLOYED = [
  'deployed_at',
  'deployed_by',
  'deployed_by_email',
  'deployed_by_key_name',
  'note',
] as const;

export type LastDeploy = Omit<DeployRow, 'workspace_id' | 'agent_id'> &
  DeployedBy & { version_label: string };

export const findLastDeploy = statement(
  ({ workspace, agent }: AgentKey) => sql<LastDeploy>`
    select d.number, d.version_id, 'v' || v.number as version_label, d.previous_version_id, d.deployed_at, d.deployed_by,
      ${deployerNames}, d.note
    from deploys as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    ${deployer('d', workspace)}
    where d.workspace_id = ${workspace} and d.agent_id = ${agent} order by d.number desc limit 1`,
);

export const insertDeploy = rowsOf<DeployRow>({ table: 'deploys' }).insert(namesOf(columns));

/** Newest first: those of a version or an agent by their numbers, and those of all agents by time. */
export const deployList = new List({
  table: 'deploys',
  alias: 'd',
  filters: { agent: equals('agent_id'), version: equals('version_id') },
  orders: {
    newest: {
      ranges: [{ by: 'version', keys: ['number'] }, { by: 'agent', keys: ['number'] }, {}],
      keys: ['deployed_at', 'agent_id'],
    },
  },
});

/** With the names of the agent and both versions, and until when each was active. */
export type ListedDeploy = Omit<LastDeploy, 'number'> & {
  agent_id: string;
  agent_name: string;
  agent_deleted_at: string | null;
  previous_version_label: string | null;
  active_until: string | null;
};

export const listedDeploys = deployList.view<ListedDeploy>({
  columns: ['d.*'],
  wrap: (deploys, { workspace }, order) => sql`
    select d.agent_id, a.name as agent_name, a.deleted_at as agent_deleted_at, d.version_id,
      'v' || v.number as version_label, d.previous_version_id, 'v' || p.number as previous_version_label,
      d.deployed_at, n.deployed_at as active_until, d.deployed_by, ${deployerNames}, d.note
    from (${deploys}) as d
    join agents as a on a.workspace_id = ${workspace} and a.id = d.agent_id
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    left join agent_versions as p on p.workspace_id = ${workspace} and p.id = d.previous_version_id
    left join deploys as n on n.workspace_id = ${workspace} and n.agent_id = d.agent_id and n.number = d.number + 1
    ${deployer('d', workspace)}
    order by ${order}`,
});

/** The version that was deployed last at or before a time. */
export const findActiveAt = statement(
  ({ workspace, agent, at }: AgentKey & { at: string }, dialect) => sql<
    Omit<Version, 'agent_id' | 'note'> & { version_note: string | null } & DeployedBy &
      Pick<DeployRow, 'deployed_at' | 'deployed_by' | 'note'>
  >`
    select ${versionText}, v.number, v.status, v.created_at, v.note as version_note, d.deployed_at, d.deployed_by, d.note, ${deployerNames} from deploys as d
    join agent_versions as v on v.workspace_id = ${workspace} and v.id = d.version_id
    ${deployer('d', workspace)}
    where d.workspace_id = ${workspace} and d.agent_id = ${agent} and ${dialect.withinRange(sql`d.deployed_at <= ${at}`)}
    order by d.number desc limit 1`,
);

/** Finds nothing for a deleted agent. */
export const findActiveIdAt = statement(
  ({ workspace, agent, at }: AgentKey & { at: string }, dialect) => sql<{ id: string }>`
    select d.version_id as id from agents as a
    join deploys as d on d.workspace_id = ${workspace} and d.agent_id = a.id and ${dialect.withinRange(sql`d.deployed_at <= ${at}`)}
    where a.workspace_id = ${workspace} and a.id = ${agent} and a.deleted_at is null
    order by d.number desc limit 1`,
);
