import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../kernel/page.ts';

/** The statement of one page of a list, newest first: a single row with the page already joined in wire form, so that
 *  a page costs one row and no object for each record. `rows` selects the `seq` and `wire` of the page's records. */
export const pageOf = (rows: RawBuilder<unknown>, total: RawBuilder<number>): RawBuilder<Page> =>
  sql`select ${total} as total, coalesce((select string_agg(wire, ',' order by seq desc) from (${rows}) as page), '') as wire`;
