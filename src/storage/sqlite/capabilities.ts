import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { countCharacters } from '../../kernel/text.ts';
import type { BuildTime, Needle, RunTime } from '../capabilities.ts';

/** An entry of a search index carries the workspace in the upper bits of its rowid, so that one workspace is one range
 *  of every posting list: a search reads neither the names nor the number of the others. */
const SEQ_BITS = sql.lit(40);
const SEQ_MASK = sql.lit(2 ** 40 - 1);

export const sqliteBuildTime: BuildTime = {
  nextSeq: (table, workspace) =>
    sql`(select coalesce(max(seq), 0) + 1 from ${sql.table(table)} where workspace_id = ${workspace})`,
  nextSeqs: (table, workspace, items) =>
    sql`select key + 1 + (select coalesce(max(seq), 0) from ${sql.table(table)} where workspace_id = ${workspace}) as seq
      from json_each(${items})`,
  tallyPart: () => sql`0`,
  eachText: (json) => sql`json_each(${json})`,
  eachEntry: (json) => sql`json_each(${json})`,
  eachObject: (json) => sql`json_each(${json})`,
  lockRow: () => sql``,
  lockFreeRows: () => sql``,
  // The engine adds rows up as they come; to sort them once more would double the time of a page.
  joinWires: (rows) => sql`select string_agg(wire, ',') from (${rows}) as page`,
  holdName: () => sql`1`,
  matches: (table, { workspace, text, phone }, { indexed, after }) => {
    const index = sql.table(`${table}_search`);
    return indexed
      ? {
          from: sql`${index} where ${index} match ${text}
            and rowid between ${workspace} << ${SEQ_BITS}${after === undefined ? sql`` : sql` | ${after}`} and (${workspace} << ${SEQ_BITS}) | ${SEQ_MASK}`,
          seq: sql`(${index}.rowid & ${SEQ_MASK})`,
          order: sql`${index}.rowid`,
        }
      : {
          from: sql`${sql.table(table)} where workspace_id = ${workspace}
            and (instr(search_text, ${text}) > 0 or instr(search_phone, ${phone}) > 0)`,
          seq: sql.ref(`${table}.seq`),
          order: sql.ref(`${table}.seq`),
        };
  },
};

const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
const isIndexable = (text: string | null) => text === null || countCharacters(text) >= 3;

/** A trigram index answers for three characters or more; a shorter needle is looked for row by row. The scan binds
 *  both texts, the index one query that names both columns. */
const needle = ({ text, phone }: Needle) => {
  if (!isIndexable(text) || !isIndexable(phone)) return { text, phone, indexed: false };
  const query = `{text} : ${phrase(text)}${phone === null ? '' : ` OR {phone} : ${phrase(phone)}`}`;
  return { text: query, phone: null, indexed: true };
};

export const sqliteRunTime = (db: DatabaseSync): RunTime => {
  const prepared = new Map<
    string,
    { add: ReturnType<DatabaseSync['prepare']>; remove: ReturnType<DatabaseSync['prepare']> }
  >();
  const statementsFor = (table: string) => {
    let statements = prepared.get(table);
    if (!statements) {
      const index = `${table}_search`;
      statements = {
        add: db.prepare(`insert into ${index} (rowid, text, phone) values (? << 40 | ?, ?, ?)`),
        remove: db.prepare(
          `insert into ${index} (${index}, rowid, text, phone) values ('delete', ? << 40 | ?, ?, ?)`,
        ),
      };
      prepared.set(table, statements);
    }
    return statements;
  };
  return {
    needle,
    indexText: (table, { workspace, seq }, before, after) => {
      if (before?.search_text === after?.search_text && before?.search_phone === after?.search_phone) return;
      const { add, remove } = statementsFor(table);
      if (before) remove.run(workspace, seq, before.search_text, before.search_phone);
      if (after) add.run(workspace, seq, after.search_text, after.search_phone);
    },
  };
};
