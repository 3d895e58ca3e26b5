import { sql } from 'kysely';
import { columnsOf, type Keys, namesOf, number, rowsOf, text } from '../../db/rows.ts';
import { type RowInsert, statement } from '../../db/statement.ts';
import { movedRows } from '../../records/moved-rows.ts';

/** The instructions that a runtime got for a contact, as the values that were inserted: the version's text never changes, and is much
 *  longer. */
const columns = {
  workspace_id: number,
  contact_id: text,
  sha256: text,
  version_id: text,
  /** A JSON object of texts by the name in the placeholder, empty for known names without a value. */
  used: text,
  at: text,
};
export type RenderingRow = typeof columns;

const renderings = rowsOf<RenderingRow>({ table: 'renderings' });

const CONTACT = sql.ref('contact_id');

/** The renderings of some contacts. `rows` is a JSON array of objects with `contact_id` and `sha256`. */
export const findRenderings = statement(
  ({ workspace, rows }: { workspace: number; rows: string }, dialect) => sql<
    Pick<RenderingRow, 'contact_id' | 'sha256' | 'used' | 'version_id'>
  >`
    with wanted as materialized (
      select value ->> 'contact_id' as contact_id, value ->> 'sha256' as sha256 from ${dialect.eachObject(rows)}
    )
    select contact_id, sha256, version_id, used from renderings
    where workspace_id = ${workspace} and ${dialect.isAmongFew(CONTACT, sql`select contact_id from wanted`)}
      and (contact_id, sha256) in (select contact_id, sha256 from wanted)`,
);

const COLUMNS = namesOf(columns);
const again = sql`on conflict (workspace_id, contact_id, sha256) do update set version_id = excluded.version_id, used = excluded.used, at = excluded.at`;

/** A text that is already stored for a contact is the newest again, so that it expires later. Only for contacts that cannot be deleted
 *  before the transaction ends. */
export const upsertRenderings: RowInsert<RenderingRow> = {
  one: statement(
    (row: RenderingRow) => sql<never>`
      insert into renderings (${columnsOf(COLUMNS)}) values (${sql.join(COLUMNS.map((name) => row[name]))}) ${again}`,
  ),
  many: statement(
    ({ workspace, rows }: { workspace: number; rows: string }, dialect) => sql<never>`
      insert into renderings (workspace_id, contact_id, sha256, version_id, used, at)
      select ${workspace}, value ->> 'contact_id', value ->> 'sha256', value ->> 'version_id', value ->> 'used', value ->> 'at'
      from ${dialect.eachObject(rows)} where true ${again}`,
  ),
};

export const countRenderings = movedRows({ table: 'renderings', key: ['contact_id', 'sha256'] }).count;

export const deleteRenderings = statement(
  ({ workspace, keys }: Keys, dialect) => sql<never>`
    with gone as materialized (select value as contact_id from ${dialect.eachText(keys)})
    delete from renderings where workspace_id = ${workspace}
    and ${dialect.isAmongFew(CONTACT, sql`select contact_id from gone`)}`,
);

export const deleteRenderingsBefore = renderings.removeOldest('contact_id', 'sha256');
