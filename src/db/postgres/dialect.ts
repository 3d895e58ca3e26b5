import { PostgresQueryCompiler, sql } from 'kysely';
import type { SqlDialect } from '../dialect.ts';
import type { Compiler } from '../statement.ts';

const postgresSql: SqlDialect = {
  nextSeq: () => sql`default`,
  nextSeqOfEach: (table) => sql`nextval(${sql.lit(`${table}_seq_seq`)})`,
  provisionalSeq: (table) => sql`-nextval(${sql.lit(`${table}_seq_seq`)})`,
  counterPart: () => sql`pg_backend_pid()`,
  eachText: (json) => sql`jsonb_array_elements_text(${json}::jsonb) as each (value)`,
  // The planner expects ten values of an array; of a join it could read the whole table.
  isAmongFew: (column, values) => sql`${column} = any (array(${values}))`,
  eachEntry: (json) => sql`jsonb_each_text(${json}::jsonb) as each (key, value)`,
  member: (object, name, kind) => {
    const member = sql`(${object}::json ->> ${sql.lit(name)})`;
    if (kind !== 'number') return sql`(${member} collate "C")`;
    return sql`(case json_typeof(${object}::json -> ${sql.lit(name)}) when 'number' then ${member}::float8 end)`;
  },
  eachObject: (json) => sql`jsonb_array_elements(${json}::jsonb) as each (value)`,
  lockRow: () => sql`for update`,
  lockRowShared: () => sql`for share`,
  withinRange: (condition) => condition,
  byIndex: () => sql``,
  lockUnlockedRows: () => sql`for update skip locked`,
  aggregateJson: (rows) => sql`select string_agg(wire, ',' order by seq desc) from (${rows}) as page`,
  advisoryLock: (name) => sql`pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
  sharedAdvisoryLock: (name) => sql`pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`,
  tryAdvisoryLock: (name) => sql`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`,
  matches: ({ workspace, text, phone }) => ({
    from: sql`contacts where contacts.workspace_id = ${workspace}
      and (search_text like ${text} or search_phone like ${phone})`,
    seq: sql.ref('contacts.seq'),
    order: sql.ref('contacts.seq'),
    isOrdered: false,
  }),
  lowerAscii: (text) => sql`lower(${text} collate "C")`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  bytewise: (text) => sql`${text} collate "C"`,
  firstCharacters: (text, count) => sql`left(${text}, ${sql.lit(count)})`,
  rewriteSql: (text) => text,
};

export const postgresCompiler: Compiler = {
  engine: 'postgres',
  query: new PostgresQueryCompiler(),
  dialect: postgresSql,
};
