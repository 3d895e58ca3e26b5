import { type RawBuilder, sql } from 'kysely';
import { prefixEnd } from '../../db/counters.ts';
import type { Expired } from '../../db/rows.ts';
import { derivedStatement } from '../../db/statement.ts';
import { inDays } from '../../lib/clock.ts';
import type { CallRow } from './call.store.ts';
import { MAX_OUTCOME_DAYS } from './outcome.schema.ts';

/* Dispositions and goals are counted by version, channel and hour in UTC of the call's start, so that they can be summed up to the
 * days of any time zone. A counter's name is `outcome@<version>/<channel>/<hour>/<kind>:<key>`, with a version of 36 characters or `-`, a channel
 * of 34, and an hour of 13. */

/** Counters are kept for longer than the longest period, whose first day begins earlier in some time zones. */
export const OUTCOME_DAYS = MAX_OUTCOME_DAYS + 2;

export const OUTCOMES = 'outcome@';
/** Of calls without a version. */
export const NO_VERSION = '-';

/** The first 13 characters of a timestamp: `YYYY-MM-DDTHH`. */
export const hourOf = (at: string): string => at.slice(0, 13);

/** The counters that have a call. Those of an older call have expired and can no longer be corrected. */
export const outcomeCounters = ({
  version_id,
  channel_id,
  started_at,
  disposition,
  goals,
}: Pick<CallRow, 'version_id' | 'channel_id' | 'started_at' | 'disposition' | 'goals'>): string[] => {
  if ((disposition === null && goals === null) || started_at < inDays(-OUTCOME_DAYS)) return [];
  const prefix = `${OUTCOMES}${version_id ?? NO_VERSION}/${channel_id}/${hourOf(started_at)}/`;
  const reached = Object.entries(JSON.parse(goals ?? '{}') as Record<string, boolean>);
  return [
    ...(disposition === null ? [] : [`${prefix}disposition:${disposition}`]),
    ...reached.map(([goal, isReached]) => `${prefix}goal${isReached ? '+' : '-'}:${goal}`),
  ];
};

const CHANNEL_LENGTH = 34;
const HOUR_LENGTH = 13;
const SHORT = OUTCOMES.length + NO_VERSION.length;
const LONG = OUTCOMES.length + 36;

/** The length of a name up to its version. */
const versionLength = (name: RawBuilder<unknown>) =>
  sql`(case when substr(${name}, ${sql.lit(OUTCOMES.length + 1)}, 1) = ${sql.lit(NO_VERSION)} then ${sql.lit(SHORT)}
    else ${sql.lit(LONG)} end)`;

/** Reads the first name of each version and channel from `from` to before `end`, and skips all others. */
const pairs = (workspace: number, from: RawBuilder<unknown>, end: RawBuilder<unknown>) => {
  const firstFrom = (start: RawBuilder<unknown>) => sql`(
    select substr(list, 1, ${versionLength(sql`list`)} + ${sql.lit(1 + CHANNEL_LENGTH)}) from tallies
    where workspace_id = ${workspace} and list >= ${start} and list < ${end} order by list limit 1)`;
  return sql`pair(prefix) as (
    select ${firstFrom(from)} union all
    select ${firstFrom(sql`pair.prefix || '0'`)} from pair where pair.prefix is not null
  )`;
};

type Range = {
  workspace: number;
  /** The beginning of the counters' names, and its end: those of one version, or all. */
  from: string;
  end: string;
  /** All if it is empty, as the agent. */
  channel: string;
  agent: string;
  /** Hours; the second is exclusive. */
  since: string;
  before: string;
};

const textOf = (value: string) => sql`cast(${value} as text)`;

const counters = ({ workspace, from, end, channel, agent, since, before }: Range) => {
  const length = versionLength(sql`pair.prefix`);
  const versionId = sql`substr(pair.prefix, ${sql.lit(OUTCOMES.length + 1)}, ${length} - ${sql.lit(OUTCOMES.length)})`;
  const channelId = sql`substr(pair.prefix, ${length} + 2)`;
  return {
    versionId,
    channelId,
    hour: sql`substr(t.list, ${length} + ${sql.lit(CHANNEL_LENGTH + 3)}, ${sql.lit(HOUR_LENGTH)})`,
    outcome: sql`substr(t.list, ${length} + ${sql.lit(CHANNEL_LENGTH + HOUR_LENGTH + 4)})`,
    with: sql`with recursive ${pairs(workspace, textOf(from), textOf(end))}`,
    from: sql`pair join tallies as t on t.workspace_id = ${workspace}
      and t.list >= pair.prefix || '/' || ${textOf(since)} and t.list < pair.prefix || '/' || ${textOf(before)}
      where pair.prefix is not null and (${textOf(channel)} = '' or ${channelId} = ${textOf(channel)})
      and (${textOf(agent)} = '' or ${versionId} in (
        select id from agent_versions where workspace_id = ${workspace} and agent_id = ${textOf(agent)}))`,
  };
};

type PairCount = { version_id: string; channel_id: string; outcome: string; count: number };

/** Counts by version and channel. */
export const countByPair = derivedStatement((range: Range) => {
  const { versionId, channelId, outcome, with: pairs, from } = counters(range);
  return sql<PairCount>`${pairs}
    select ${versionId} as version_id, ${channelId} as channel_id, ${outcome} as outcome, cast(sum(t.count) as bigint) as count
    from ${from} group by 1, 2, 3 having sum(t.count) <> 0`;
});

type HourCount = { hour: string; outcome: string; count: number };

/** Counts by hour in UTC. */
export const countByHour = derivedStatement((range: Range) => {
  const { hour, outcome, with: pairs, from } = counters(range);
  return sql<HourCount>`${pairs}
    select ${hour} as hour, ${outcome} as outcome, cast(sum(t.count) as bigint) as count
    from ${from} group by 1, 2 having sum(t.count) <> 0`;
});

/** Deletes counters of the hours before that of a time. */
export const deleteOutcomesBefore = derivedStatement(
  ({ workspace, before, limit }: Expired) => sql<never>`
    with recursive ${pairs(workspace, sql.lit(OUTCOMES), sql.lit(prefixEnd(OUTCOMES)))}, expired as materialized (
      select t.list, t.part from pair join tallies as t on t.workspace_id = ${workspace}
        and t.list >= pair.prefix || '/' and t.list < pair.prefix || '/' || substr(${textOf(before)}, 1, ${sql.lit(HOUR_LENGTH)})
      where pair.prefix is not null limit ${limit}
    )
    delete from tallies where workspace_id = ${workspace} and (list, part) in (select list, part from expired)`,
);
