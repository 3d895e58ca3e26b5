import { sql } from 'kysely';
import { columnsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import {
  atLeast,
  atMost,
  before,
  bothWays,
  column,
  equals,
  type Filter,
  type Node,
  type Order,
  type Scope,
  since,
} from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import type { CallStatus } from './call.schema.ts';
import { CALL_COUNTER, COLUMNS, type ListedCall, named } from './call.store.ts';

/* Lists and statistics of calls. By the time of their start, each reads one range of one index: the calls of a contact, number, goal, tag,
 * disposition, version, channel, agent or status, those with texts or a duration, or all, between two times. */

/** The total of a list with several filters stops here, because it would have to read every call of its range. */
export const MAX_TOTAL = 10_000;

/** How many calls a search reads, the latest first, and how many characters of their transcripts. */
export const MAX_SEARCHED = 100_000;
export const MAX_SEARCHED_CHARACTERS = 50_000_000;

/** The start of the earliest call that a search reads, if there are earlier ones. The rows are in the window's order: without a second
 *  one, and with a frame of rows, the engines stop at the first that is found. */
export const findSearchedSince = statement(
  ({ workspace, before }: { workspace: number; before: string }) => sql<{ started_at: string }>`
    select started_at from (
      select started_at, seq, row_number() over latest as place, sum(size) over latest as characters from (
        select started_at, seq, size from call_texts where workspace_id = ${workspace} and started_at < ${before}
        order by started_at desc, seq desc limit ${sql.lit(MAX_SEARCHED + 1)}
      ) as newest window latest as (order by started_at desc, seq desc rows unbounded preceding)
    ) as counted where place > ${sql.lit(MAX_SEARCHED)} or characters > ${sql.lit(MAX_SEARCHED_CHARACTERS)}
    limit 1`,
);

/** The few calls of a contact are sorted. `|| ''` keeps the engines from an index of another range. */
const sortedStart = ({ table }: Scope) => sql<string>`(${sql.ref(`${table}.started_at`)} || '')`;

const within = ['since', 'before'] as const;

/** A number that is no identity: it is a text of another form, or belongs to no contact. The condition of `calls_of_other_number`. */
const isOtherNumber = ({ table }: Scope) =>
  sql`(${sql.ref(`${table}.number`)} <> coalesce(${sql.ref(`${table}.number_identity`)}, ''))`;

const otherNumber: Filter = (value, scope) =>
  sql`(${isOtherNumber(scope)} and ${equals('number')(value, scope)})`;

/** A filter of a derived table (see call.derived.ts), which can be the range. */
const derived =
  (table: string, filter: Filter): Filter =>
  (value, scope) =>
    scope.isOwn
      ? filter(value, scope)
      : sql`exists (select 1 from ${sql.table(table)} as d where d.workspace_id = ${scope.workspace}
          and d.started_at = ${sql.ref(`${scope.table}.started_at`)} and d.seq = ${sql.ref(`${scope.table}.seq`)}
          and ${filter(value, { ...scope, table: 'd' })})`;

const containsText: Filter = (part, { table, dialect }) => {
  const contains = (column: string) => dialect.contains(sql.ref(`${table}.${column}`), sql`${part}`);
  return sql`(${contains('text')} or ${contains('transcript')})`;
};

/** The calls of a contact and of those that are still being merged into it: a JSON array of ids. */
const amongIds: Filter = (ids, { table, dialect }) =>
  sql`${sql.ref(`${table}.contact_id`)} in (select value from ${dialect.eachText(ids as unknown as string)})`;

const isByDuration = (node: Node): boolean =>
  'filter' in node && (node.filter === 'seconds_min' || node.filter === 'seconds_max');

/** The condition of `calls_with_duration`. It does not follow from that of the filter, or SQLite would use the index for other ranges. */
const isTimed = ({ table }: Scope) => sql`${sql.ref(`${table}.seconds`)} >= 0`;

const byStart: Order = {
  ranges: [
    { by: 'contact_id', keys: [sortedStart, 'seq'] },
    { by: 'identity_id', within },
    { by: 'contact_ids', keys: [sortedStart, 'seq'] },
    { by: 'number_identity', within },
    { by: 'other_number', within, where: isOtherNumber },
    { by: 'search', within, derived: 'call_texts' },
    { by: 'goal', within, derived: 'call_goals' },
    { by: 'tag', within, derived: 'call_tags' },
    ...['disposition', 'version_id', 'channel_id', 'agent_id', 'status'].map((by) => ({ by, within })),
    { by: isByDuration, within, where: isTimed },
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
    identity_id: (id, scope) =>
      sql`(${column('identity_id', scope)} is not null and ${column('identity_id', scope)} = ${id})`,
    contact_ids: amongIds,
    number_identity: equals('number_identity'),
    other_number: otherNumber,
    goal: derived('call_goals', equals('goal')),
    tag: derived('call_tags', equals('tag')),
    disposition: equals('disposition'),
    version_id: equals('version_id'),
    channel_id: equals('channel_id'),
    agent_id: equals('agent_id'),
    status: equals('status'),
    medium: equals('medium'),
    direction: equals('direction'),
    seconds_min: atLeast('seconds'),
    seconds_max: atMost('seconds'),
    search: derived('call_texts', containsText),
    since: since('started_at'),
    before: before('started_at'),
  },
  orders: {
    ...bothWays('started_at', byStart),
    /** As they were recorded, the last first. */
    recorded: {
      ranges: [
        ...['contact_id', 'contact_ids', 'channel_id', 'agent_id', 'direction'].map((by) => ({ by })),
        {},
      ],
    },
  },
  counter: (conditions) => (conditions.length === 0 ? CALL_COUNTER : undefined),
  keepsRange: 'always',
});

/** Only the calls of the page are read completely. */
export const namedCalls = callList.view<ListedCall>({
  columns: ['seq', 'started_at'],
  wrap: (rows, { workspace }, order) =>
    named(
      workspace,
      sql`select ${columnsOf(['seq', ...COLUMNS], 'listed')} from (${rows}) as found
        cross join calls as listed where listed.workspace_id = ${workspace} and listed.seq = found.seq`,
      order,
    ),
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

/** Calls in groups. `width` is the number of characters of a slot. */
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

type NamedVersion = {
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
