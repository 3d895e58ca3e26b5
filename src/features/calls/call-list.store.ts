import { sql } from 'kysely';
import { type Statement, statementsOver } from '../../db/statement.ts';
import { type CallTables, columnsOf, type ListedCall, named } from './call.store.ts';

/* Lists and statistics of calls by the time of their start. Each reads one range of one index: the calls of a contact, version,
 * channel, agent or status, or all, between two times. All other filters are conditions on the calls of that range. */

const statement = statementsOver<CallTables>();

/** The column that a range fixes. The most selective first. */
const RANGES = {
  contact: 'contact_id',
  version: 'version_id',
  channel: 'channel_id',
  agent: 'agent_id',
  status: 'status',
  all: undefined,
} as const;
export type CallRange = keyof typeof RANGES;
export const callRanges = Object.keys(RANGES) as CallRange[];

const FILTERS = [
  'contact_id',
  'version_id',
  'channel_id',
  'agent_id',
  'status',
  'medium',
  'direction',
] as const;

/** Filters that are empty count as absent. */
export type CallConditions = Record<(typeof FILTERS)[number], string> & {
  /** The calls that started at this time or later, and before that one. */
  since: string;
  before: string;
};

/** The narrowest range that contains all calls that meet the conditions, and whether it contains others. */
export const rangeOf = (conditions: CallConditions): { range: CallRange; isFiltered: boolean } => {
  const given = FILTERS.filter((name) => conditions[name] !== '');
  const range =
    callRanges.find((each) => RANGES[each] !== undefined && conditions[RANGES[each]] !== '') ?? 'all';
  return { range, isFiltered: given.some((name) => name !== RANGES[range]) };
};

/** The position before a call that starts at `key`. */
export type CallPosition = { key: string; seq: number };

/** A position before, and one after all calls between two times, in the order of the list. */
export const startOf = ({ since, before }: CallConditions, order: CallOrder): CallPosition => ({
  key: order === 'asc' ? since : before,
  seq: -1,
});

export type CallOrder = 'asc' | 'desc';
type RangeArgs = CallConditions & { workspace: number };

/** The few calls of a contact are sorted. `|| ''` keeps the engines from an index of another range. */
const startColumn = (range: CallRange) =>
  range === 'contact' ? sql`(c.started_at || '')` : sql`c.started_at`;

const conditionsOf = (range: CallRange, args: RangeArgs) => {
  const column = RANGES[range];
  const others = FILTERS.filter((name) => name !== column);
  return sql.join(
    [
      sql`c.workspace_id = ${args.workspace}`,
      ...(column ? [sql`${sql.ref(`c.${column}`)} = ${args[column]}`] : []),
      ...others.map((name) => sql`(${args[name]} = '' or ${sql.ref(`c.${name}`)} || '' = ${args[name]})`),
    ],
    sql` and `,
  );
};

export type PageArgs = RangeArgs & CallPosition & { limit: number; offset: number };

const pageOf = (range: CallRange, order: CallOrder): Statement<PageArgs, ListedCall> =>
  statement(
    (_, args: PageArgs) => {
      const start = startColumn(range);
      const direction = sql.raw(order);
      const within =
        order === 'asc'
          ? sql`(${start}, c.seq) > (${args.key}, ${args.seq}) and ${start} < ${args.before}`
          : sql`(${start}, c.seq) < (${args.key}, ${args.seq}) and ${start} >= ${args.since}`;
      return named(
        args.workspace,
        sql`select ${columnsOf('c')} from calls as c where ${conditionsOf(range, args)} and ${within}
          order by ${start} ${direction}, c.seq ${direction} limit ${args.limit} offset ${args.offset}`,
        sql`c.started_at ${direction}, c.seq ${direction}`,
      );
    },
    { planOnce: false },
  );

const between = (range: CallRange, args: RangeArgs) => sql`${conditionsOf(range, args)}
  and ${startColumn(range)} >= ${args.since} and ${startColumn(range)} < ${args.before}`;

/** Counts at most `limit` calls. */
const countOf = (range: CallRange) =>
  statement(
    (_, args: RangeArgs & { limit: number }) => sql<{ count: number }>`
      select count(*) as count from (
        select 1 from calls as c where ${between(range, args)} limit ${args.limit}
      ) as counted`,
    { planOnce: false },
  );

/** The limits of durations in seconds. The last group has no limit. */
export const DURATIONS = [15, 30, 60, 120, 300, 600] as const;
const durationNames = [...DURATIONS.map((limit) => `below_${limit}` as const)] as const;

export type CallGroup = {
  /** The beginning of the start of its calls: an hour, ten minutes, or a minute. */
  slot: string;
  status: string;
  version_id: string | null;
  calls: number;
  /** Calls with a duration, and the sum of the durations. */
  timed: number;
  seconds: number;
} & Record<(typeof durationNames)[number], number>;

/** The latest `limit` calls of a range, in groups. `width` is the number of characters of a slot. */
const groupsOf = (range: CallRange) =>
  statement(
    (_, args: RangeArgs & { limit: number; width: number }) => sql<CallGroup>`
      select substr(started_at, 1, cast(${args.width} as int)) as slot, status, version_id,
        count(*) as calls, count(seconds) as timed, cast(coalesce(sum(seconds), 0) as bigint) as seconds,
        ${sql.join(
          DURATIONS.map(
            (below) =>
              sql`sum(case when seconds < ${sql.lit(below)} then 1 else 0 end) as ${sql.ref(`below_${below}`)}`,
          ),
        )}
      from (
        select c.started_at, c.status, c.version_id, c.seconds from calls as c where ${between(range, args)}
        order by ${startColumn(range)} desc, c.seq desc limit ${args.limit}
      ) as found group by 1, 2, 3`,
    { planOnce: false },
  );

const statementsOf = (range: CallRange) => ({
  asc: pageOf(range, 'asc'),
  desc: pageOf(range, 'desc'),
  count: countOf(range),
  groups: groupsOf(range),
});

export const callRangeStatements = Object.fromEntries(
  callRanges.map((range) => [range, statementsOf(range)]),
) as Record<CallRange, ReturnType<typeof statementsOf>>;

export type NamedVersion = {
  id: string;
  number: number;
  agent_id: string;
  agent_name: string;
  agent_deleted_at: string | null;
};

/** `ids` is a JSON array of version ids. */
export const findVersionNames = statement(
  (_, { workspace, ids }: { workspace: number; ids: string }, dialect) => sql<NamedVersion>`
    select v.id, v.number, v.agent_id, a.name as agent_name, a.deleted_at as agent_deleted_at
    from agent_versions as v join agents as a on a.workspace_id = ${workspace} and a.id = v.agent_id
    where v.workspace_id = ${workspace} and v.id in (select value from ${dialect.eachText(ids)})`,
);

export type StatusCount = { day: string; status: string; count: number };

/** The calls of each status that started in each span of time. `spans` is a JSON object of starts and ends, and `statuses` a JSON
 *  array. Counting index entries takes a tenth of the time of grouping calls. */
export const countStatuses = statement(
  (_, args: { workspace: number; spans: string; statuses: string }, dialect) => sql<StatusCount>`
    select d.key as day, s.value as status, (
      select count(*) from calls as c where c.workspace_id = ${args.workspace} and c.status = s.value
        and c.started_at >= d.key and c.started_at < d.value
    ) as count
    from (select key, value from ${dialect.eachEntry(args.spans)}) as d
    cross join (select value from ${dialect.eachText(args.statuses)}) as s`,
);
