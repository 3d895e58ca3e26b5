import { sql } from 'kysely';
import { columnsOf, type Keys, namesOf, number, rowsOf, text } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { movedRows } from '../../records/moved-rows.ts';

/** What a job has changed in a contact. */
const columns = {
  workspace_id: number,
  job_id: text,
  /** In the order of the changes. */
  position: number,
  contact_id: text,
  /** JSON of Former. */
  former: text,
};
export type BulkChangeRow = typeof columns;

const changes = rowsOf<BulkChangeRow>({ table: 'bulk_changes' });

/** An undo finds one change of each contact. */
export const bulkChangeRows = movedRows({
  table: 'bulk_changes',
  key: ['job_id', 'position'],
  integers: ['position'],
  scope: 'job_id',
});

export const insertBulkChanges = changes.insertAll(namesOf(columns), undefined, { integers: ['position'] });

type OfJob = { workspace: number; job: string };

export const listNextChanges = statement(
  ({ workspace, job, after, limit }: OfJob & { after: number; limit: number }) => sql<
    Pick<BulkChangeRow, 'contact_id' | 'position'>
  >`
    select contact_id, position from bulk_changes
    where workspace_id = ${workspace} and job_id = ${job} and position > ${after} order by position limit ${limit}`,
);

type Range = OfJob & { after: number; until: number };

const inRange = ({ workspace, job, after, until }: Range) => sql`from bulk_changes
  where workspace_id = ${workspace} and job_id = ${job} and position > ${after} and position <= ${until}`;

export const changesInRange = statement(
  (args: Range) =>
    sql<BulkChangeRow>`select ${columnsOf(namesOf(columns))} ${inRange(args)} order by position`,
);
export const deleteRange = statement((args: Range) => sql<never>`delete ${inRange(args)}`);

/** Skips rows that the deletion of a contact has locked. */
export const deleteSomeChanges = statement(
  ({ workspace, job, limit }: OfJob & { limit: number }, dialect) => sql<never>`
    with chosen as materialized (
      select position from bulk_changes where workspace_id = ${workspace} and job_id = ${job}
      order by position limit ${limit} ${dialect.lockUnlockedRows()}
    )
    delete from bulk_changes where workspace_id = ${workspace} and job_id = ${job}
    and position in (select position from chosen)`,
);

export const eraseChanges = statement(
  ({ workspace, keys }: Keys, dialect) => sql<never>`
    with gone as materialized (select value as contact_id from ${dialect.eachText(keys)})
    delete from bulk_changes where workspace_id = ${workspace}
    and ${dialect.isAmongFew(sql.ref('contact_id'), sql`select contact_id from gone`)}`,
);
