import { sql } from 'kysely';
import { counterSum } from '../../db/counters.ts';
import { namesOf, number, pageOf, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { pickColumns, statement } from '../../db/statement.ts';
import { canonicalHash } from '../../lib/canonical-json.ts';
import { withMember } from '../../lib/json.ts';
import type { DeploymentStatus } from './agent.schema.ts';

const columns = {
  workspace_id: number,
  id: text,
  name: text,
  description: textOrNull,
  created_at: text,
  updated_at: text,
};
type AgentFacts = typeof columns;
const COLUMNS = namesOf(columns);

/** A row of `agents`. The column `wire` is the agent's JSON in lists; `rowOf` derives it on every write. */
export type AgentRow = AgentFacts & { wire: string };

const declaredColumns = {
  /** A JSON array of the variables that the agent declares; null if it never did. */
  variables: textOrNull,
  /** JSON, as it was sent. */
  config_schema: textOrNull,
};

const versionColumns = {
  workspace_id: number,
  agent_id: text,
  number,
  id: text,
  status: typed<DeploymentStatus>(),
  instructions: text,
  created_at: text,
  /** The id of a user or an API key, or another actor; null if unknown. */
  created_by: textOrNull,
  /** The id of the version that it was edited or copied from; null if unknown. */
  based_on: textOrNull,
  /** A JSON object as it was sent; null is `{}`. */
  config: textOrNull,
  config_sha256: textOrNull,
  note: textOrNull,
};
export type VersionRow = typeof versionColumns;
export const VERSION_COLUMNS = namesOf(versionColumns);

type StoredAgent = AgentRow & typeof declaredColumns & { deleted_at: string | null };

const agents = rowsOf<StoredAgent>({ table: 'agents' });
const versions = rowsOf<VersionRow>({ table: 'agent_versions' });

export const labelOf = (number: number): string => `v${number}`;

/** The agent in responses to create and update. */
export const agentOf = (facts: AgentFacts) =>
  pickColumns(facts, ['id', 'name', 'description', 'created_at', 'updated_at']);

/** The configuration of a version without one, and the hash of its canonical form. */
export const NO_CONFIG = '{}';
export const NO_CONFIG_SHA256 = canonicalHash({});

export type VersionSummary = ReturnType<typeof versionSummary>;
export const versionSummary = (row: Pick<VersionRow, 'id' | 'number' | 'status' | 'created_at'>) => ({
  id: row.id,
  version_label: labelOf(row.number),
  deployment_status: row.status,
  created_at: row.created_at,
});

/** A version as its event has it, as JSON. */
export const versionJson = (version: Omit<Version, 'version_label'>): string => {
  const { agent_id, instructions, note, config_sha256, config } = version;
  const head = { agent_id, ...versionSummary(version), instructions, note, config_sha256 };
  return withMember(JSON.stringify(head), 'config', config);
};

export const rowOf = <F extends AgentFacts>(
  facts: F,
  deployed: { id: string; number: number } | undefined,
): F & { wire: string } => {
  const deployed_version = deployed ? { id: deployed.id, version_label: labelOf(deployed.number) } : null;
  return { ...facts, wire: JSON.stringify({ ...agentOf(facts), deployed_version }) };
};

type Key = { workspace: number; id: string };

const where = sql`deleted_at is null`;

const DECLARED = namesOf(declaredColumns);

export const insertAgent = agents.insert([...COLUMNS, ...DECLARED, 'wire'], { seq: true });
export const updateAgentRow = agents.set(['name', 'description', 'updated_at', ...DECLARED, 'wire']);
export const markDeleted = agents.set(['deleted_at'], { where });

/** Locks the agent until the transaction ends, so that its versions are numbered without gaps. */
export const selectAgentForUpdate = agents.lock([...COLUMNS, ...DECLARED], { where });
export type Declared = typeof declaredColumns;
export type LockedAgent = AgentFacts & Declared;
export const findExistingAgent = agents.find(['id'], { where });
export const findDeclared = agents.find(DECLARED, { where });

/** Call it only after `selectAgentForUpdate` or `insertAgent`, so that no other transaction uses the same number. */
export const insertDraft = statement(
  (row: Omit<VersionRow, 'number' | 'status'>) =>
    sql<{
      number: number;
    }>`insert into agent_versions (workspace_id, agent_id, number, id, status, instructions, created_at, created_by, based_on,
      config, config_sha256, note)
    select ${row.workspace_id}, ${row.agent_id}, coalesce(max(number), 0) + 1, ${row.id}, 'draft',
      ${row.instructions}, ${row.created_at}, ${row.created_by}, ${row.based_on},
      ${row.config}, ${row.config_sha256}, ${row.note}
    from agent_versions where workspace_id = ${row.workspace_id} and agent_id = ${row.agent_id} returning number`,
);

/** Stores the summaries of the versions, newest first, after one of them was changed. Their values need no escaping. */
export const updateVersionsJson = statement(
  ({ workspace, id }: Key) => sql<never>`
    update agents set versions = (
      select string_agg('{"id":"' || v.id || '","version_label":"v' || v.number || '","deployment_status":"' || v.status
        || '","created_at":"' || v.created_at || '"}', ',' order by v.number desc)
      from agent_versions as v where v.workspace_id = ${workspace} and v.agent_id = ${id})
    where workspace_id = ${workspace} and id = ${id}`,
);

export const findDeployed = versions.find(['id', 'number'], {
  by: { id: 'agent_id' },
  where: sql`status = 'deployed'`,
});

/** What runtimes get of a version. `config` is JSON, as it was sent. */
export type VersionText = {
  id: string;
  version_label: string;
  instructions: string;
  config: string;
  config_sha256: string;
};

export type Version = VersionText &
  Pick<VersionRow, 'agent_id' | 'number' | 'status' | 'created_at' | 'note'>;

export const configHash = sql`coalesce(v.config_sha256, ${sql.lit(NO_CONFIG_SHA256)}) as config_sha256`;
export const versionText = sql`v.id, 'v' || v.number as version_label, v.instructions,
  coalesce(v.config, ${sql.lit(NO_CONFIG)}) as config, ${configHash}`;
export const version = sql`${versionText}, v.agent_id, v.number, v.status, v.created_at, v.note`;

/** A version, also if another one has been deployed since or the agent was deleted. */
export const findVersionText = statement(
  ({ workspace, version }: { workspace: number; version: string }) => sql<VersionText>`
    select ${versionText} from agent_versions as v where v.workspace_id = ${workspace} and v.id = ${version}`,
);

/** The deployed versions of agents that are not deleted. */
const deployed = (workspace: number) => sql`from agents as a
  join agent_versions as v on v.workspace_id = ${workspace} and v.agent_id = a.id and v.status = 'deployed'
  where a.workspace_id = ${workspace} and a.deleted_at is null`;

export const findActiveVersion = statement(
  ({ workspace, id }: Key) => sql<VersionText>`select ${versionText} ${deployed(workspace)} and a.id = ${id}`,
);

type Speaker = Pick<StoredAgent, 'id' | 'name' | 'variables'> & { instructions: string };

/** The agents whose deployed text matches a pattern. */
export const findSpeakers = statement(
  ({ workspace, pattern }: { workspace: number; pattern: string }) => sql<Speaker>`
    select a.id, a.name, a.variables, v.instructions ${deployed(workspace)} and v.instructions like ${pattern}
    order by a.name, a.id`,
);

type AgentWithVersions = Omit<AgentFacts, 'workspace_id' | 'id'> & {
  deployed_id: string | null;
  deployed_number: number | null;
  instructions: string | null;
  /** The summaries, newest first, joined by commas. */
  versions: string;
};

export const findAgent = statement(
  ({ workspace, id }: Key) => sql<AgentWithVersions>`
    select a.name, a.description, a.created_at, a.updated_at,
      d.id as deployed_id, d.number as deployed_number, d.instructions, a.versions
    from agents as a left join agent_versions as d
      on d.workspace_id = ${workspace} and d.agent_id = a.id and d.status = 'deployed'
    where a.workspace_id = ${workspace} and a.id = ${id} and a.deleted_at is null`,
);

export const listAgentRows = statement(
  (
    { workspace, list, limit, offset }: { workspace: number; list: string; limit: number; offset: number },
    dialect,
  ) =>
    pageOf(
      dialect,
      sql`select seq, wire from agents where workspace_id = ${workspace} and deleted_at is null
        order by seq desc limit ${limit} offset ${offset}`,
      counterSum(workspace, list),
    ),
  { readsDerived: true },
);
