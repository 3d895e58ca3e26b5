import type { TestDatabase } from './engines.ts';

export type Counts = Record<string, number>;

const asCounts = (rows: Record<string, unknown>[]): Counts =>
  Object.fromEntries(rows.map(({ workspace_id, list, count }) => [`${workspace_id} ${list}`, Number(count)]));

/** The stored counts, added up, without empty lists, n-gram counts, goals and missing values. */
export const storedCounts = async ({ query }: TestDatabase): Promise<Counts> =>
  asCounts(
    await query(
      `select workspace_id, list, sum(count) as count from tallies
       where list not like 'contacts~%' and list not like 'progress@%' and list not like 'calls@%' and list not like 'fields:%' and list not like 'missing@%'
         and list not like 'outcome@%/goal%' group by 1, 2 having sum(count) <> 0`,
    ),
  );

/** The actual number of rows of every counted list. */
export const actualCounts = async ({ query }: TestDatabase): Promise<Counts> =>
  asCounts(
    await query(
      `select workspace_id, 'contacts' as list, count(*) as count from contacts group by 1
       union all select workspace_id, 'contacts#/' || (seq / 100000), count(*) from contacts group by 1, 2
       union all select workspace_id, 'contacts#' || (seq / 100000) || '/' || (seq % 100000 / 1000), count(*)
         from contacts group by 1, 2
       union all select workspace_id, 'contacts:' || tag, count(*) from contact_tags group by 1, 2
       union all select workspace_id, 'contacts@' || substr(created_at, 1, 10) || '/' || source, count(*)
         from contacts group by 1, 2
       union all select workspace_id, 'agents', count(*) from agents where deleted_at is null group by 1
       union all select workspace_id, 'calls', count(*) from calls group by 1
       union all select workspace_id, 'merges', count(*) from merges group by 1
       union all select workspace_id, 'enrollments@' || campaign_id || '/' || status, count(*)
         from enrollments group by 1, 2
       union all select workspace_id, 'results@' || campaign_id || '/' || status || '/' ||
           case when outcome_counted = 1 then outcome else '' end, count(*)
         from enrollments where outcome is not null group by 1, 2
       union all select workspace_id, 'outcome@' || coalesce(version_id, '-') || '/' || channel_id || '/' ||
           substr(started_at, 1, 13) || '/disposition:' || disposition, count(*)
         from calls where disposition is not null group by 1, 2`,
    ),
  );
