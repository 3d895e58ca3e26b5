import { SqliteQueryCompiler, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { Compiler } from '../statement.ts';

/** The upper bits of a search entry's rowid are its workspace, so that a workspace is one range of every posting list, and
 *  a search reads no entries of other workspaces. */
const SEQ_BITS = sql.lit(40);
const SEQ_MASK = sql.lit(2 ** 40 - 1);

const sqliteSql: SqlDialect = {
  nextSeq: (table, workspace) =>
    sql`(select coalesce(max(seq), 0) + 1 from ${sql.table(table)} where workspace_id = ${workspace})`,
  nextSeqOfEach: (table, workspace, reserved) => {
    const last = (of: string) =>
      sql`(select coalesce(max(seq), 0) from ${sql.table(of)} where workspace_id = ${workspace})`;
    return reserved === undefined
      ? sql`key + 1 + ${last(table)}`
      : sql`key + 1 + max(${last(table)}, ${last(reserved)})`;
  },
  // One writer: the order of the statements is that of the commits. Provisional numbers exist only after a move from another
  // engine; a new row then follows them, and all get their positions together. Two subqueries, because SQLite finds a minimum or
  // a maximum in the index, but not both.
  provisionalSeq: (table, workspace) => {
    const rows = sql`from ${sql.table(table)} where workspace_id = ${workspace}`;
    return sql`(case when (select min(seq) ${rows}) < 0 then (select min(seq) - 1 ${rows})
      else (select coalesce(max(seq), 0) + 1 ${rows}) end)`;
  },
  counterPart: () => sql`0`,
  eachText: (json) => sql`json_each(${json})`,
  isAmongFew: (column, values) => sql`${column} in (${values})`,
  eachEntry: (json) => sql`json_each(${json})`,
  // `->` keeps JSON, because `->>` makes a boolean a number.
  member: (object, name, kind) =>
    kind === 'boolean' ? sql`(${object} -> ${sql.lit(name)})` : sql`(${object} ->> ${sql.lit(name)})`,
  // `json_each` would write each object as text, which `->>` parses again for every field.
  eachObject: (json) => sql`jsonb_each(${json})`,
  lockRow: () => sql``,
  lockRowShared: () => sql``,
  withinRange: (condition) => sql`(${condition}) is true`,
  byIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  lockUnlockedRows: () => sql``,
  // SQLite aggregates rows in the order of the subquery; sorting them again would double the time of a page.
  aggregateJson: (rows) => sql`select string_agg(wire, ',') from (${rows}) as page`,
  // There is one writer.
  advisoryLock: () => sql`1`,
  sharedAdvisoryLock: () => sql`1`,
  tryAdvisoryLock: () => sql`1`,
  matches: ({ workspace, text, phone }, { indexed, after }) =>
    indexed
      ? {
          from: sql`contacts_search where contacts_search match ${text}
            and rowid between ${workspace} << ${SEQ_BITS}${after === undefined ? sql`` : sql` | ${after}`} and (${workspace} << ${SEQ_BITS}) | ${SEQ_MASK}`,
          seq: sql`(contacts_search.rowid & ${SEQ_MASK})`,
          order: sql`contacts_search.rowid`,
          isOrdered: true,
        }
      : {
          from: sql`contacts where workspace_id = ${workspace}
            and (instr(search_text, ${text}) > 0 or instr(search_phone, ${phone}) > 0)`,
          seq: sql.ref('contacts.seq'),
          order: sql.ref('contacts.seq'),
          isOrdered: true,
        },
  lowerAscii: (text) => sql`lower(${text})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  bytewise: (text) => sql`${text}`,
  firstCharacters: (text, count) => sql`substr(${text}, 1, ${sql.lit(count)})`,
  // SQLite uses a bare `limit ?` for its plan and prepares the statement again for every value: a short page then takes
  // 10 µs instead of 3.
  rewriteSql: (text) => text.replace(/\blimit \?/g, 'limit +?'),
};

export const sqliteCompiler: Compiler = {
  engine: 'sqlite',
  query: new SqliteQueryCompiler(),
  dialect: sqliteSql,
};
