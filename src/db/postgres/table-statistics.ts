import type { Pool, QueryConfig } from 'pg';
import type { RunRecorder } from '../../lib/run-counters.ts';
import { LONG_MS, SHORT_MS } from './transaction.ts';

/** A table is analyzed when it has this many times the rows of its statistics. Fewer rows are cheap to read with any plan. Until a
 *  table has more, PostgreSQL had the time to analyze it itself. */
const GROWTH = 4;
const ROWS = { min: 400, max: 2_000_000 };

const GROWN_TABLES = `
  select format('%I', relname) as name
  from pg_class, lateral (select pg_stat_get_live_tuples(oid) as live) as now
  where relkind = 'r' and relnamespace = quote_ident(current_schema())::regnamespace and pg_has_role(relowner, 'usage')
  and live between ${ROWS.min} and ${ROWS.max} and live >= ${GROWTH} * reltuples`;

/** Analyzes tables that have grown a lot. By default, PostgreSQL does this once a minute. Until then, prepared statements have the plan
 *  for the former size, and that for an empty table reads all rows of a workspace to find one. */
export const analyzeGrownTables = async (pool: Pick<Pool, 'query'>, task: RunRecorder): Promise<void> => {
  const query = (text: string, query_timeout: number) => pool.query({ text, query_timeout } as QueryConfig);
  const { rows } = await query(GROWN_TABLES, SHORT_MS);
  for (const { name } of rows) await task.run(() => query(`analyze (skip_locked) ${name}`, LONG_MS));
};
