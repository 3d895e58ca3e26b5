import { type Check, FindingCollector, readInBatches, type Snapshot, sqlCheck } from '../../db/check.ts';
import { inDays } from '../../lib/clock.ts';
import type { CallRow } from '../calls/call.store.ts';
import { MAX_OUTCOME_DAYS } from '../calls/outcome.schema.ts';
import { hourOf, OUTCOMES, outcomeCounters } from '../calls/outcome.store.ts';

/** For every list with a stored counter, a query that counts its rows: `workspace_id`, `list` and `count`. SQLite checks its n-gram
 *  counters itself. */
const listsOf = ({ schema, eachKey, eachText }: Snapshot) => [
  `select workspace_id, 'contacts' as list, count(*) as count from contacts group by 1`,
  `select workspace_id, 'contacts:' || tag, count(*) from contact_tags group by 1, 2`,
  `select workspace_id, 'contacts@' || substr(created_at, 1, 10) || '/' || source, count(*) from contacts group by 1, 2`,
  `select workspace_id, 'contacts#/' || (seq / 100000), count(*) from contacts group by 1, 2`,
  `select workspace_id, 'contacts#' || (seq / 100000) || '/' || (seq % 100000 / 1000), count(*) from contacts group by 1, 2`,
  `select workspace_id, 'agents', count(*) from agents where deleted_at is null group by 1`,
  `select workspace_id, 'calls', count(*) from calls group by 1`,
  `select workspace_id, 'enrollments@' || campaign_id || '/' || status, count(*) from enrollments group by 1, 2`,
  ...(schema >= 43 ? [`select workspace_id, 'merges', count(*) from merges group by 1`] : []),
  ...(schema >= 38
    ? [
        `select workspace_id, 'fields:' || each.key, count(*) from contacts as c, ${eachKey('c.fields')} group by 1, 2`,
      ]
    : []),
  ...(schema >= 43
    ? [
        `select workspace_id, 'results@' || campaign_id || '/' || status || '/' || case when outcome_counted = 1 then outcome else '' end,
          count(*) from enrollments where outcome is not null group by 1, 2`,
        `select workspace_id, 'missing@' || campaign_id || '/' || each.value, count(*) from enrollments as e,
          ${eachText(`case when status = 'blocked' then replace(rtrim(reason, '}'), '{"code":"missing_values","holes":', '') else '[]' end`)}
          group by 1, 2`,
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

const OUTCOMES_OF_CALLS = `select c.* from (
    select workspace_id, seq, version_id, channel_id, started_at, disposition, goals from calls
    where disposition is not null or goals is not null) as c`;

/** The hour in a counter's name: `outcome@<version>/<channel>/<hour>/…`. */
const hourIn = (list: string): string => list.split('/')[2] ?? '';

/** Only hours that have not expired. */
export const outcomeCheck: Check = {
  name: 'counters of outcomes match the calls',
  since: 39,
  find: async (snapshot) => {
    const since = hourOf(inDays(1 - MAX_OUTCOME_DAYS));
    const differences = new Map<string, number>();
    const add = (workspace: number, list: string, by: number) => {
      const key = `${list} of workspace ${workspace}`;
      if (hourIn(list) >= since) differences.set(key, (differences.get(key) ?? 0) + by);
    };
    for await (const calls of readInBatches<CallRow>(snapshot, OUTCOMES_OF_CALLS))
      for (const call of calls) for (const list of outcomeCounters(call)) add(call.workspace_id, list, 1);
    const stored = await snapshot.all<{ workspace_id: number; list: string; count: number }>(
      `select workspace_id, list, sum(count) as count from tallies where list like '${OUTCOMES}%' group by 1, 2`,
    );
    for (const { workspace_id, list, count } of stored) add(workspace_id, list, -Number(count));
    const found = new FindingCollector();
    for (const [list, by] of differences)
      if (by !== 0) found.add(`the counter ${list} differs from the calls that have it by ${-by}`);
    return found;
  },
};
