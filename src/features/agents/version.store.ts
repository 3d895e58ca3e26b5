import { type RawBuilder, sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import type { VersionRow } from './agent.store.ts';

const statement = statementsOver<{ agent_versions: VersionRow }>();

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

export const findVersionByNumber = statement(
  (query, { workspace, agent, number }: AgentKey & { number: number }) =>
    query
      .selectFrom('agent_versions')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agent)
      .where('number', '=', number),
);

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

const COLUMNS = sql.raw('id, number, created_at, created_by, based_on');

export const findOrigin = statement((_, { workspace, version }: { workspace: number; version: string }) =>
  withOrigins(
    workspace,
    sql`select ${COLUMNS} from agent_versions where workspace_id = ${workspace} and id = ${version}`,
  ),
);

/** Newest first. */
export const listOriginRows = statement(
  (_, { workspace, agent, limit, offset }: AgentKey & { limit: number; offset: number }) =>
    withOrigins(
      workspace,
      sql`select ${COLUMNS} from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}
        order by number desc limit ${limit} offset ${offset}`,
    ),
  { planOnce: false },
);
