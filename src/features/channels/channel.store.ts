import { sql } from 'kysely';
import { columnsOf, type Key, rowsOf } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';
import type { ChannelKind } from './channel.schema.ts';

export type ChannelRow = {
  workspace_id: number;
  id: string;
  kind: ChannelKind;
  name: string;
  address: string;
  agent_id: string | null;
  /** To compare a bearer token. */
  secret_hash: string;
  /** To verify a signature, which needs the secret itself. */
  secret_sealed: string;
  token_sealed: string | null;
  /** The previous secret and token, each accepted until it expires. */
  old_secret_hash: string | null;
  old_secret_sealed: string | null;
  old_secret_expires_at: string | null;
  old_token_sealed: string | null;
  old_token_expires_at: string | null;
  created_at: string;
  updated_at: string;
};

const SECRET_COLUMNS = ['secret_hash', 'secret_sealed', 'token_sealed'] as const;
const OLD_COLUMNS = [
  'old_secret_hash',
  'old_secret_sealed',
  'old_secret_expires_at',
  'old_token_sealed',
  'old_token_expires_at',
] as const;
const NEW_COLUMNS = [
  'workspace_id',
  'id',
  'kind',
  'name',
  'address',
  'agent_id',
  ...SECRET_COLUMNS,
  'created_at',
  'updated_at',
] as const;
const COLUMNS = [...NEW_COLUMNS, ...OLD_COLUMNS] as const;

const statement = statementsOver<{ channels: ChannelRow & { seq: number } }>();

const rows = rowsOf<ChannelRow>({ table: 'channels' });

export const insertChannel = rows.insert(NEW_COLUMNS, { seq: true });
export const findChannel = rows.find(COLUMNS);
export const lockChannel = rows.lock(COLUMNS);
export const updateChannel = rows.set([
  'name',
  'address',
  'agent_id',
  ...SECRET_COLUMNS,
  ...OLD_COLUMNS,
  'updated_at',
]);
export const deleteChannel = rows.remove;

const LISTED = [
  'id',
  'kind',
  'name',
  'address',
  'old_secret_expires_at',
  'old_token_expires_at',
  'created_at',
  'updated_at',
] as const;

/** Returns the channels without their agent. */
export const disconnectAgent = statement(
  (query, { workspace, agent, at }: { workspace: number; agent: string; at: string }) =>
    query
      .updateTable('channels')
      .set({ agent_id: sql.lit(null), updated_at: at })
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agent)
      .returning(LISTED),
);

/** A channel with the name of its agent. */
export type ListedChannel = Pick<ChannelRow, (typeof LISTED)[number] | 'agent_id'> & {
  agent_name: string | null;
};

const listed = (where: ReturnType<typeof sql>, page = sql``) => sql<ListedChannel>`
  select ${columnsOf(LISTED, 'c')}, a.id as agent_id, a.name as agent_name
  from channels as c
  left join agents as a on a.workspace_id = c.workspace_id and a.id = c.agent_id and a.deleted_at is null
  where ${where} order by c.seq desc ${page}`;

type Filter = { workspace: number; agent: string };

const listing = (where: (filter: Filter) => ReturnType<typeof sql>) => ({
  rows: statement((_, args: Filter & { limit: number; offset: number }) =>
    listed(where(args), sql`limit ${args.limit} offset ${args.offset}`),
  ),
  count: statement(
    (_, args: Filter) =>
      sql<{ count: number }>`select count(*) as count from channels as c where ${where(args)}`,
  ),
});

export const listings = {
  all: listing(({ workspace }) => sql`c.workspace_id = ${workspace}`),
  agent: listing(({ workspace, agent }) => sql`c.workspace_id = ${workspace} and c.agent_id = ${agent}`),
};

export const countChannelRows = statement(
  (_, { workspace }: { workspace: number }) => sql<{ channels: number; connected: number }>`
    select count(*) as channels, count(agent_id) as connected from channels where workspace_id = ${workspace}`,
);

export const findListedChannel = statement((_, { workspace, id }: Key) =>
  listed(sql`c.workspace_id = ${workspace} and c.id = ${id}`),
);

export const listChannelsOfAgent = statement(
  (_, { workspace, agent }: { workspace: number; agent: string }) =>
    listed(sql`c.workspace_id = ${workspace} and c.agent_id = ${agent}`),
);
