import { type RawBuilder, sql } from 'kysely';
import { prefixEnd } from '../../db/counters.ts';
import { derivedStatement, statement } from '../../db/statement.ts';
import { NO_VERSION, OUTCOMES } from './outcome.counts.ts';

/* A counter's name is `outcome@<version>/<channel>/<hour>/<kind>:<key>`, with a version of 36 characters or `-`, a channel of 34, and an
 * hour of 13. */

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

export type PairCount = { version_id: string; channel_id: string; outcome: string; count: number };

/** Counts by version and channel. */
export const countByPair = derivedStatement((range: Range) => {
  const { versionId, channelId, outcome, with: pairs, from } = counters(range);
  return sql<PairCount>`${pairs}
    select ${versionId} as version_id, ${channelId} as channel_id, ${outcome} as outcome, cast(sum(t.count) as bigint) as count
    from ${from} group by 1, 2, 3 having sum(t.count) <> 0`;
});

export type HourCount = { hour: string; outcome: string; count: number };

/** Counts by hour in UTC. */
export const countByHour = derivedStatement((range: Range) => {
  const { hour, outcome, with: pairs, from } = counters(range);
  return sql<HourCount>`${pairs}
    select ${hour} as hour, ${outcome} as outcome, cast(sum(t.count) as bigint) as count
    from ${from} group by 1, 2 having sum(t.count) <> 0`;
});

export const findChannelNames = statement(
  ({ workspace, ids }: { workspace: number; ids: string }, dialect) => sql<{ id: string; name: string }>`
    select id, name from channels where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);

/** Deletes counters of hours before `hour`. */
export const deleteOutcomesBefore = derivedStatement(
  ({ workspace, hour, limit }: { workspace: number; hour: string; limit: number }) => sql<never>`
    with recursive ${pairs(workspace, sql.lit(OUTCOMES), sql.lit(prefixEnd(OUTCOMES)))}, expired as materialized (
      select t.list, t.part from pair join tallies as t on t.workspace_id = ${workspace}
        and t.list >= pair.prefix || '/' and t.list < pair.prefix || '/' || ${textOf(hour)}
      where pair.prefix is not null limit ${limit}
    )
    delete from tallies where workspace_id = ${workspace} and (list, part) in (select list, part from expired)`,
);
