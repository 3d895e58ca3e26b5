import { type RawBuilder, sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';
import type { VersionRow } from './agent.store.ts';

const statement = statementsOver<object>();
const COLUMNS = [
  'workspace_id',
  'agent_id',
  'number',
  'id',
  'status',
  'instructions',
  'created_at',
  'created_by',
  'based_on',
] as const;
const versions = rowsOf<VersionRow>({ table: 'agent_versions' });

type AgentKey = { workspace: number; agent: string };

export const findVersion = versions.find(COLUMNS, { by: { version: 'id', agent: 'agent_id' } });
export const findVersionByNumber = versions.find(COLUMNS, { by: { agent: 'agent_id', number: 'number' } });

export const findNewestVersion = statement(
  (_, { workspace, agent }: AgentKey) => sql<VersionRow>`
    select * from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}
    order by number desc limit 1`,
);

/** A version with the names of its author and of the version that it is based on. */
export type OriginRow = Pick<VersionRow, 'id' | 'number' | 'created_at' | 'created_by'> & {
  created_by_email: string | null;
  created_by_key_name: string | null;
  base_id: string | null;
  base_number: number | null;
  base_agent_id: string | null;
  base_agent_name: string | null;
  base_agent_deleted_at: string | null;
};

const withOrigins = (workspace: number, versions: RawBuilder<unknown>) => sql<OriginRow>`
  select v.id, v.number, v.created_at, v.created_by, u.email as created_by_email, k.name as created_by_key_name,
    b.id as base_id, b.number as base_number, a.id as base_agent_id, a.name as base_agent_name,
    a.deleted_at as base_agent_deleted_at
  from (${versions}) as v
  left join users as u on u.workspace_id = ${workspace} and u.id = v.created_by
  left join keys as k on k.workspace_id = ${workspace} and k.id = v.created_by
  left join agent_versions as b on b.workspace_id = ${workspace} and b.id = v.based_on
  left join agents as a on a.workspace_id = ${workspace} and a.id = b.agent_id
  order by v.number desc`;

const ORIGIN = sql.raw('id, number, created_at, created_by, based_on');

export const findOrigin = statement((_, { workspace, version }: { workspace: number; version: string }) =>
  withOrigins(
    workspace,
    sql`select ${ORIGIN} from agent_versions where workspace_id = ${workspace} and id = ${version}`,
  ),
);

/** Newest first. */
export const listOriginRows = statement(
  (_, { workspace, agent, limit, offset }: AgentKey & { limit: number; offset: number }) =>
    withOrigins(
      workspace,
      sql`select ${ORIGIN} from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}
        order by number desc limit ${limit} offset ${offset}`,
    ),
  { planOnce: false },
);
