import { sql } from 'kysely';
import { statement } from '../../db/statement.ts';
import { before, bothWays, equals, List, type Order, type Scope, since } from '../../records/list.ts';
import type { CallStatus } from './call.schema.ts';
import { CALL_COUNTER, COLUMNS, type ListedCall, named } from './call.store.ts';

/* Lists and statistics of calls. By the time of their start, each reads one range of one index: the calls of a contact, version,
 * channel, agent or status, or all, between two times. */

/** The total of a list with several filters stops here, because it would have to read every call of its range. */
export const MAX_TOTAL = 10_000;

/** The few calls of a contact are sorted. `|| ''` keeps the engines from an index of another range. */
const sortedStart = ({ table }: Scope) => sql<string>`(${sql.ref(`${table}.started_at`)} || '')`;

const within = ['since', 'before'] as const;

const byStart: Order = {
  ranges: [
    { by: 'contact_id', keys: [sortedStart, 'seq'] },
    ...['version_id', 'channel_id', 'agent_id', 'status'].map((by) => ({ by, within })),
    { within },
  ],
  keys: ['started_at', 'seq'],
  cap: MAX_TOTAL,
};

export const callList = new List({
  table: 'calls',
  alias: 'c',
  filters: {
    contact_id: equals('contact_id'),
    version_id: equals('version_id'),
    channel_id: equals('channel_id'),
    agent_id: equals('agent_id'),
    status: equals('status'),
    medium: equals('medium'),
    direction: equals('direction'),
    since: since('started_at'),
    before: before('started_at'),
  },
  orders: {
    ...bothWays('started_at', byStart),
    /** As they were recorded, the last first. */
    recorded: {
      ranges: [...['contact_id', 'channel_id', 'agent_id', 'direction'].map((by) => ({ by })), {}],
    },
  },
  counter: (conditions) => (conditions.length === 0 ? CALL_COUNTER : undefined),
  keepsRange: 'always',
});

export const namedCalls = callList.view<ListedCall>({
  columns: ['seq', ...COLUMNS],
  wrap: (rows, { workspace }, order) => named(workspace, rows, order),
});

/** The limits of durations in seconds. The last group has no limit. */
export const DURATIONS = [15, 30, 60, 120, 300, 600] as const;

export type CallGroup = {
  /** The beginning of the start of its calls: an hour, ten minutes, or a minute. */
  slot: string;
  status: CallStatus;
  version_id: string | null;
  calls: number;
  /** Calls with a duration, and the sum of the durations. */
  timed: number;
  seconds: number;
} & Record<`below_${(typeof DURATIONS)[number]}`, number>;

/** Calls in groups. `width` is the number of characters of a slot; 0 for one slot. */
export const callGroups = callList.view<CallGroup>({
  columns: ['started_at', 'status', 'version_id', 'seconds'],
  wrap: (rows, { args }) => sql`
    select substr(started_at, 1, cast(${args.width} as int)) as slot, status, version_id,
      count(*) as calls, count(seconds) as timed, cast(coalesce(sum(seconds), 0) as bigint) as seconds,
      ${sql.join(
        DURATIONS.map(
          (below) =>
            sql`sum(case when seconds < ${sql.lit(below)} then 1 else 0 end) as ${sql.ref(`below_${below}`)}`,
        ),
      )}
    from (${rows}) as found group by 1, 2, 3`,
});

export type NamedVersion = {
  id: string;
  number: number;
  agent_id: string;
  agent_name: string;
  agent_deleted_at: string | null;
};

/** `ids` is a JSON array of version ids. */
export const findVersionNames = statement(
  ({ workspace, ids }: { workspace: number; ids: string }, dialect) => sql<NamedVersion>`
    select v.id, v.number, v.agent_id, a.name as agent_name, a.deleted_at as agent_deleted_at
    from agent_versions as v join agents as a on a.workspace_id = ${workspace} and a.id = v.agent_id
    where v.workspace_id = ${workspace} and v.id in (select value from ${dialect.eachText(ids)})`,
);
