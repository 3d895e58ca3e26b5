import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../lib/page.ts';
import type { SqlDialect } from './dialect.ts';

/** Selects one page of a list, newest first, as one row with the JSON of the whole page, so that no object is built for
 *  each record. `rows` selects the `seq` and the stored JSON (`wire`) of the page's records in order. */
export const pageOf = (
  dialect: SqlDialect,
  rows: RawBuilder<unknown>,
  total: RawBuilder<number>,
): RawBuilder<Page> => sql`select ${total} as total, coalesce((${dialect.aggregateJson(rows)}), '') as json`;
