import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import type { ChannelKind } from './channel.schema.ts';

export type ChannelRow = {
  workspace_id: number;
  id: string;
  kind: ChannelKind;
  name: string;
  address: string;
  agent_id: string | null;
  /** For comparing a bearer token. */
  secret_hash: string;
  /** For checking a signature, which needs the secret itself. */
  secret_sealed: string;
  token_sealed: string | null;
  /** The secret and the token before these, each accepted until its time. */
  old_secret_hash: string | null;
  old_secret_sealed: string | null;
  old_secret_expires_at: string | null;
  old_token_sealed: string | null;
  old_token_expires_at: string | null;
  created_at: string;
  updated_at: string;
};

type OldSecrets = Extract<keyof ChannelRow, `old_${string}`>;

const statement = statementsOver<{ channels: ChannelRow & { seq: number } }>();

type Key = { workspace: number; id: string };

export const insertChannel = statement((query, row: Omit<ChannelRow, OldSecrets>, can) =>
  query.insertInto('channels').values({
    workspace_id: row.workspace_id,
    id: row.id,
    seq: can.nextSeq('channels', row.workspace_id),
    kind: row.kind,
    name: row.name,
    address: row.address,
    agent_id: row.agent_id,
    secret_hash: row.secret_hash,
    secret_sealed: row.secret_sealed,
    token_sealed: row.token_sealed,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
);

export const updateChannelRow = statement((query, row: ChannelRow) =>
  query
    .updateTable('channels')
    .set({
      name: row.name,
      address: row.address,
      agent_id: row.agent_id,
      secret_hash: row.secret_hash,
      secret_sealed: row.secret_sealed,
      token_sealed: row.token_sealed,
      old_secret_hash: row.old_secret_hash,
      old_secret_sealed: row.old_secret_sealed,
      old_secret_expires_at: row.old_secret_expires_at,
      old_token_sealed: row.old_token_sealed,
      old_token_expires_at: row.old_token_expires_at,
      updated_at: row.updated_at,
    })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id),
);

export const deleteChannelRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('channels').where('workspace_id', '=', workspace).where('id', '=', id),
);

const COLUMNS = [
  'workspace_id',
  'id',
  'kind',
  'name',
  'address',
  'agent_id',
  'secret_hash',
  'secret_sealed',
  'token_sealed',
  'old_secret_hash',
  'old_secret_sealed',
  'old_secret_expires_at',
  'old_token_sealed',
  'old_token_expires_at',
  'created_at',
  'updated_at',
] as const;

export const selectChannelForUpdate = statement((query, { workspace, id }: Key, can) =>
  query
    .selectFrom('channels')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(can.lockRow()),
);

export const findChannel = statement((query, { workspace, id }: Key) =>
  query.selectFrom('channels').select(COLUMNS).where('workspace_id', '=', workspace).where('id', '=', id),
);

export const disconnectAgent = statement(
  (query, { workspace, agent, at }: { workspace: number; agent: string; at: string }) =>
    query
      .updateTable('channels')
      .set({ agent_id: sql.lit(null), updated_at: at })
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agent),
);

/** A channel as it is shown, with the name of its agent. */
export type ListedChannel = Pick<
  ChannelRow,
  | 'id'
  | 'kind'
  | 'name'
  | 'address'
  | 'old_secret_expires_at'
  | 'old_token_expires_at'
  | 'created_at'
  | 'updated_at'
> & {
  agent_id: string | null;
  agent_name: string | null;
};

const listed = (where: ReturnType<typeof sql>, page = sql``) => sql<ListedChannel>`
  select c.id, c.kind, c.name, c.address, c.old_secret_expires_at, c.old_token_expires_at, c.created_at, c.updated_at,
    a.id as agent_id, a.name as agent_name
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

export const showChannel = statement((_, { workspace, id }: Key) =>
  listed(sql`c.workspace_id = ${workspace} and c.id = ${id}`),
);

export const listOfAgent = statement((_, { workspace, agent }: { workspace: number; agent: string }) =>
  listed(sql`c.workspace_id = ${workspace} and c.agent_id = ${agent}`),
);
