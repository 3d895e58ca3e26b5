import { type Check, type Snapshot, sqlCheck } from '../../db/check.ts';

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
      where list not like 'contacts~%' and list not like 'progress@%' and list not like 'calls@%' group by 1, 2 having sum(count) <> 0
    ), counted as (
      ${listsOf(snapshot).join(' union all ')}
    )
    select 'the list ' || list || ' of workspace ' || workspace_id || ' has ' || coalesce(count, 0)
      || ' rows, but its counter says ' || coalesce(stored, 0) as what
    from stored full join counted using (workspace_id, list) where coalesce(stored, 0) <> coalesce(count, 0)`,
);
