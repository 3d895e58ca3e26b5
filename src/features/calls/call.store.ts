import { type RawBuilder, sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import type { ChannelKind } from '../channels/channel.schema.ts';
import type { Names } from '../contacts/contact.name.ts';
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

export const selectCallForUpdate = statement((query, { workspace, channel, provider_id }: ProviderKey, can) =>
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

type UnlinkArgs = { workspace: number; contact: string; identity: string | null };

/** The calls of a deleted person stay; who it was is forgotten, also where a call was not linked to the contact. */
export const unlinkContact = statement(
  (_, { workspace, contact, identity }: UnlinkArgs, can) => sql<never>`
    with chosen as materialized (
      select id from calls where workspace_id = ${workspace}
      and (contact_id = ${contact} or number_identity = ${identity}) order by id ${can.lockRow()}
    )
    update calls set contact_id = null, number = null, number_identity = null
    where workspace_id = ${workspace} and id in (select id from chosen)`,
);

/** A call with the names that a page shows. What was deleted since has none, but for agents, which are only hidden. */
export type ListedCall = CallRow &
  Names & {
    version_number: number | null;
    channel_name: string | null;
    channel_kind: ChannelKind | null;
    agent_name: string | null;
    agent_deleted_at: string | null;
  };

const COLUMNS = [
  'id',
  'seq',
  'channel_id',
  'contact_id',
  'agent_id',
  'version_id',
  'medium',
  'direction',
  'status',
  'number',
  'provider_id',
  'started_at',
  'ended_at',
  'seconds',
] as const;
const columnsOf = (table: string) => sql.join(COLUMNS.map((column) => sql.ref(`${table}.${column}`)));

/** Some calls with their names: each is found by its key, which a plan knows only where it knows how few calls there are. */
const named = (workspace: number, calls: RawBuilder<unknown>) => sql<ListedCall>`
  select ${columnsOf('c')}, v.number as version_number, l.name as channel_name, l.kind as channel_kind,
    a.name as agent_name, a.deleted_at as agent_deleted_at, p.display_name, p.first_name, p.last_name
  from (${calls}) as c
  left join agent_versions as v on v.workspace_id = ${workspace} and v.id = c.version_id
  left join channels as l on l.workspace_id = ${workspace} and l.id = c.channel_id
  left join agents as a on a.workspace_id = ${workspace} and a.id = c.agent_id
  left join contacts as p on p.workspace_id = ${workspace} and p.id = c.contact_id
  order by c.seq desc`;

/** What a list of calls can be narrowed to, the narrowest first. */
export const callFilters = ['contact_id', 'channel_id', 'agent_id', 'direction'] as const;
type CallFilter = (typeof callFilters)[number];
type Filter = { workspace: number } & Record<CallFilter, string>;

/** The first of the filters is answered by its index, in the order of the list. The others are checked on what it finds,
 *  and written so that no engine takes a wider index for them. */
const fitting = (given: readonly CallFilter[], args: Filter) =>
  sql.join(
    [
      sql`c.workspace_id = ${args.workspace}`,
      ...given.map((name, at) =>
        at === 0
          ? sql`${sql.ref(`c.${name}`)} = ${args[name]}`
          : sql`${sql.ref(`c.${name}`)} || '' = ${args[name]}`,
      ),
    ],
    sql` and `,
  );

const listing = (given: readonly CallFilter[]) => ({
  rows: statement(
    (_, args: Filter & { limit: number; offset: number }) =>
      named(
        args.workspace,
        sql`select ${columnsOf('c')} from calls as c where ${fitting(given, args)}
          order by c.seq desc limit ${args.limit} offset ${args.offset}`,
      ),
    { planOnce: false },
  ),
  count: statement(
    (_, args: Filter) =>
      sql<{ count: number }>`select count(*) as count from calls as c where ${fitting(given, args)}`,
  ),
});

/** Every choice of the filters. */
const listings = new Map<string, ReturnType<typeof listing>>(
  Array.from({ length: 2 ** callFilters.length }, (_, bits) => {
    const given = callFilters.filter((_, at) => bits & (1 << at));
    return [given.join(), listing(given)];
  }),
);

export const listingOf = (given: readonly CallFilter[]) =>
  listings.get(given.join()) as ReturnType<typeof listing>;

export const showCall = statement((_, { workspace, id }: { workspace: number; id: string }) =>
  named(
    workspace,
    sql`select ${columnsOf('c')} from calls as c where c.workspace_id = ${workspace} and c.id = ${id}`,
  ),
);
