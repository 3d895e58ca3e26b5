import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../lib/page.ts';
import type { BuildTime } from './capabilities.ts';

/** The statement of one page of a list, newest first: a single row with the page already joined in wire form, so that
 *  a page costs one row and no object for each record. `rows` selects the `seq` and `wire` of the page's records, in their
 *  order. */
export const pageOf = (
  can: BuildTime,
  rows: RawBuilder<unknown>,
  total: RawBuilder<number>,
): RawBuilder<Page> => sql`select ${total} as total, coalesce((${can.joinWires(rows)}), '') as wire`;
