import { sql } from 'kysely';
import { columnsOf, type Key, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { equals } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import type { AdapterName, ChannelKind } from './channel.schema.ts';

const described = {
  id: text,
  kind: typed<ChannelKind>(),
  name: text,
  address: text,
  adapter: typed<AdapterName>(),
  created_at: text,
  updated_at: text,
};
/** The previous secret and token are accepted until these times. */
const expiries = { old_secret_expires_at: textOrNull, old_token_expires_at: textOrNull };
const listed = { ...described, ...expiries };
const LISTED = namesOf(listed);

const newColumns = {
  workspace_id: number,
  ...described,
  /** To compare a bearer token. */
  secret_hash: text,
  /** To verify a signature, which needs the secret itself. */
  secret_sealed: text,
  token_sealed: textOrNull,
};
export type NewChannelRow = typeof newColumns;

const columns = {
  ...newColumns,
  ...expiries,
  agent_id: textOrNull,
  old_secret_hash: textOrNull,
  old_secret_sealed: textOrNull,
  old_token_sealed: textOrNull,
};
export type ChannelRow = typeof columns;
const COLUMNS = namesOf(columns);

const channels = rowsOf<ChannelRow>({ table: 'channels' });

export const insertChannel = channels.insert(namesOf(newColumns), { seq: true });
export const findChannel = channels.find(COLUMNS);
export const findAgentOfChannel = channels.find(['agent_id']);
export const findChannelNames = channels.findMany(['id', 'name']);
export const lockChannel = channels.lock(COLUMNS);
export const updateChannel = channels.set(
  COLUMNS.filter((name) => !['workspace_id', 'id', 'kind', 'created_at'].includes(name)),
);
export const deleteChannel = channels.remove;

/** Returns the channels without their agent. */
export const disconnectAgent = statement(
  ({ workspace, agent, at }: { workspace: number; agent: string; at: string }) => sql<typeof listed>`
    update channels set agent_id = null, updated_at = ${at} where workspace_id = ${workspace} and agent_id = ${agent}
    returning ${columnsOf(LISTED)}`,
);

/** A channel with the name of its agent. */
export type ListedChannel = typeof listed & { agent_id: string | null; agent_name: string | null };

const agentOf = sql`left join agents as a on a.workspace_id = c.workspace_id and a.id = c.agent_id and a.deleted_at is null`;

/** Newest first. */
export const channelList = new List({
  table: 'channels',
  alias: 'c',
  filters: { agent: equals('agent_id') },
  orders: { newest: { ranges: [{ by: 'agent' }, {}] } },
  joins: () => agentOf,
});
export const listedChannels = channelList.view<ListedChannel>({
  columns: [...LISTED, 'a.id as agent_id', 'a.name as agent_name'],
});

export const findListedChannel = statement(
  ({ workspace, id }: Key) => sql<ListedChannel>`
    select ${columnsOf(LISTED, 'c')}, a.id as agent_id, a.name as agent_name from channels as c ${agentOf}
    where c.workspace_id = ${workspace} and c.id = ${id}`,
);
