import { sql } from 'kysely';
import { statementsOver } from '../storage/statement.ts';
import type { CallStatus, directions, media } from './call.schema.ts';

export type CallRow = {
  workspace_id: number;
  id: string;
  channel_id: string;
  contact_id: string | null;
  agent_id: string | null;
  version_id: string | null;
  medium: (typeof media)[number];
  direction: (typeof directions)[number];
  status: CallStatus;
  /** The other party's; null once that person was deleted. */
  number: string | null;
  /** The same as an identity, where it has one: how the calls of a person are found who was met without a contact. */
  number_identity: string | null;
  provider_id: string;
  started_at: string;
  ended_at: string | null;
  seconds: number | null;
};

const statement = statementsOver<{ calls: CallRow & { seq: number } }>();

export const insertCall = statement((query, row: CallRow, can) =>
  query.insertInto('calls').values({
    workspace_id: row.workspace_id,
    id: row.id,
    seq: can.nextSeq('calls', row.workspace_id),
    channel_id: row.channel_id,
    contact_id: row.contact_id,
    agent_id: row.agent_id,
    version_id: row.version_id,
    medium: row.medium,
    direction: row.direction,
    status: row.status,
    number: row.number,
    number_identity: row.number_identity,
    provider_id: row.provider_id,
    started_at: row.started_at,
    ended_at: row.ended_at,
    seconds: row.seconds,
  }),
);

type ProviderKey = { workspace: number; channel: string; provider_id: string };

export const takeByProvider = statement((query, { workspace, channel, provider_id }: ProviderKey, can) =>
  query
    .selectFrom('calls')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('channel_id', '=', channel)
    .where('provider_id', '=', provider_id)
    .modifyEnd(can.lockRow()),
);

export const updateProgress = statement(
  (query, row: Pick<CallRow, 'workspace_id' | 'id' | 'status' | 'ended_at' | 'seconds'>) =>
    query
      .updateTable('calls')
      .set({ status: row.status, ended_at: row.ended_at, seconds: row.seconds })
      .where('workspace_id', '=', row.workspace_id)
      .where('id', '=', row.id),
);

type Forgotten = { workspace: number; contact: string; identity: string | null };

/** The calls of a deleted person stay; who it was is forgotten, also where a call was not linked to the contact. */
export const unlinkContact = statement((query, { workspace, contact, identity }: Forgotten) =>
  query
    .updateTable('calls')
    .set({ contact_id: sql.lit(null), number: sql.lit(null), number_identity: sql.lit(null) })
    .where('workspace_id', '=', workspace)
    .where((eb) => eb.or([eb('contact_id', '=', contact), eb('number_identity', '=', identity)])),
);

export type ListedCall = CallRow & { version_number: number | null };

type Filter = { workspace: number; contact: string; channel: string };

/** Which filter a list of calls has, so that each is served by an index. */
const filters = {
  all: ({ workspace }: Filter) => sql`c.workspace_id = ${workspace}`,
  contact: ({ workspace, contact }: Filter) =>
    sql`c.workspace_id = ${workspace} and c.contact_id = ${contact}`,
  channel: ({ workspace, channel }: Filter) =>
    sql`c.workspace_id = ${workspace} and c.channel_id = ${channel}`,
  both: ({ workspace, contact, channel }: Filter) =>
    sql`c.workspace_id = ${workspace} and c.contact_id = ${contact} and c.channel_id = ${channel}`,
};
export type CallFilter = keyof typeof filters;

const listing = (filter: CallFilter) => ({
  rows: statement(
    (_, args: Filter & { limit: number; offset: number }) => sql<ListedCall>`
      select c.*, v.number as version_number from (
        select * from calls as c where ${filters[filter](args)} order by c.seq desc limit ${args.limit} offset ${args.offset}
      ) as c
      left join agent_versions as v on v.workspace_id = ${args.workspace} and v.id = c.version_id
      order by c.seq desc`,
  ),
  count: statement(
    (_, args: Filter) =>
      sql<{ count: number }>`select count(*) as count from calls as c where ${filters[filter](args)}`,
  ),
});

export const listings = {
  all: listing('all'),
  contact: listing('contact'),
  channel: listing('channel'),
  both: listing('both'),
};

export const showCall = statement(
  (_, { workspace, id }: { workspace: number; id: string }) => sql<ListedCall>`
    select c.*, v.number as version_number from calls as c
    left join agent_versions as v on v.workspace_id = ${workspace} and v.id = c.version_id
    where c.workspace_id = ${workspace} and c.id = ${id}`,
);
