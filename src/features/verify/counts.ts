import { type Check, type Snapshot, sqlCheck } from '../../db/check.ts';
import { inDays } from '../../lib/clock.ts';
import { MAX_OUTCOME_DAYS } from '../calls/outcome.schema.ts';

/** For every list with a stored counter, a query that counts its rows: `workspace_id`, `list` and `count`. SQLite checks its n-gram
 *  counters itself. */
const listsOf = ({ schema, eachKey }: Snapshot) => [
  `select workspace_id, 'contacts' as list, count(*) as count from contacts group by 1`,
  `select workspace_id, 'contacts:' || tag, count(*) from contact_tags group by 1, 2`,
  `select workspace_id, 'contacts@' || substr(created_at, 1, 10) || '/' || source, count(*) from contacts group by 1, 2`,
  `select workspace_id, 'contacts#/' || (seq / 100000), count(*) from contacts group by 1, 2`,
  `select workspace_id, 'contacts#' || (seq / 100000) || '/' || (seq % 100000 / 1000), count(*) from contacts group by 1, 2`,
  `select workspace_id, 'agents', count(*) from agents where deleted_at is null group by 1`,
  `select workspace_id, 'calls', count(*) from calls group by 1`,
  `select workspace_id, 'enrollments@' || campaign_id || '/' || status, count(*) from enrollments group by 1, 2`,
  ...(schema >= 38
    ? [
        `select workspace_id, 'fields:' || each.key, count(*) from contacts as c, ${eachKey('c.fields')} group by 1, 2`,
      ]
    : []),
];

export const counterCheck: Check = sqlCheck(
  // The progress of campaigns says what happened; enrollments that were removed since still count. Earlier versions counted the
  // calls of a day.
  'stored counters match the rows',
  (snapshot) => `
    with stored as (
      select workspace_id, list, sum(count) as stored from tallies
      where list not like 'contacts~%' and list not like 'progress@%' and list not like 'calls@%' and list not like 'outcome@%' group by 1, 2 having sum(count) <> 0
    ), counted as (
      ${listsOf(snapshot).join(' union all ')}
    )
    select 'the list ' || list || ' of workspace ' || workspace_id || ' has ' || coalesce(count, 0)
      || ' rows, but its counter says ' || coalesce(stored, 0) as what
    from stored full join counted using (workspace_id, list) where coalesce(stored, 0) <> coalesce(count, 0)`,
);

/** The members of a JSON object of booleans, and whether each is true. Keys have no quotes. */
const isReached = `replace(c.goals, '"' || each.key || '":true', '') <> c.goals`;

/** Only hours that have not expired. */
export const outcomeCheck: Check = sqlCheck(
  'counters of outcomes match the calls',
  ({ eachKey }) => {
    const since = inDays(1 - MAX_OUTCOME_DAYS).slice(0, 13);
    const list = (kind: string) =>
      `c.workspace_id, 'outcome@' || coalesce(c.version_id, '-') || '/' || c.channel_id || '/' || substr(c.started_at, 1, 13) || '/' || ${kind} as list`;
    return `
    with stored as (
      select workspace_id, list, sum(count) as stored from tallies
      where list like 'outcome@%' and substr(list, case when substr(list, 9, 1) = '-' then 46 else 81 end, 13) >= '${since}'
      group by 1, 2 having sum(count) <> 0
    ), counted as (
      select workspace_id, list, count(*) as count from (
        select ${list(`'disposition:' || c.disposition`)} from calls as c where c.disposition is not null and c.started_at >= '${since}'
        union all
        select ${list(`case when ${isReached} then 'goal+:' else 'goal-:' end || each.key`)} from calls as c, ${eachKey('c.goals')}
        where c.goals is not null and c.started_at >= '${since}'
      ) as found group by 1, 2
    )
    select 'the counter ' || list || ' of workspace ' || workspace_id || ' is ' || coalesce(stored, 0) || ', but '
      || coalesce(count, 0) || ' calls have it' as what
    from stored full join counted using (workspace_id, list) where coalesce(stored, 0) <> coalesce(count, 0)`;
  },
  39,
);
