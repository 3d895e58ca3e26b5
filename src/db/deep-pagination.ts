import { sql } from 'kysely';
import { chain, type MaybePromise } from '../lib/maybe-promise.ts';
import { prefixEnd } from './counters.ts';
import type { Db } from './db.ts';
import { derivedStatement } from './statement.ts';

/* Finds a page at a large offset without reading all records before it. The `seq` values of a list are divided into blocks
 * of 100,000, and these into blocks of 1,000. Each block has a counter (see counters.ts), so a page is found by reading a
 * few hundred counters, and at most 1,000 records are skipped one by one. */
const LARGE = 100_000;
const SMALL = 1_000;

/** The name prefix of the counters of a large block's small blocks; with '', of the large blocks. */
const blocksIn = (list: string, large: number | '') => `${list}#${large}/`;

/** The counters of the two blocks that contain a `seq`. */
export const blocksOf = (list: string, seq: number): string[] => {
  const large = Math.floor(seq / LARGE);
  const small = Math.floor((seq % LARGE) / SMALL);
  return [`${blocksIn(list, '')}${large}`, `${blocksIn(list, large)}${small}`];
};

type Blocks = { workspace: number; prefix: string; end: string; length: number };

/** Returns all counts in one row, because reading many rows takes longer than finding them. */
export const blockCounts = derivedStatement(
  ({ workspace, prefix, end, length }: Blocks) => sql<{ counts: string | null }>`
    select string_agg(substr(list, ${length} + 1) || ' ' || count, ',') as counts from tallies
    where workspace_id = ${workspace} and list >= ${prefix} and list < ${end}`,
);

/** The block of the record at offset `skip`, newest first, and its offset in that block. */
const blockAt = (counts: string | null, skip: number): { block: number; skip: number } | undefined => {
  const sums = new Map<number, number>();
  for (const each of counts?.split(',') ?? []) {
    const [block = 0, count = 0] = each.split(' ').map(Number);
    sums.set(block, (sums.get(block) ?? 0) + count);
  }
  let left = skip;
  for (const [block, sum] of [...sums].sort(([one], [other]) => other - one)) {
    if (left < sum) return { block, skip: left };
    left -= sum;
  }
  return undefined;
};

/** A position in a list: `skip` records into those whose `seq` is below `below`, newest first. */
export interface Position {
  readonly below: number;
  readonly skip: number;
}

const PAST_THE_END: Position = { below: 0, skip: 0 };

export const seekPosition = (
  db: Db,
  workspace: number,
  list: string,
  offset: number,
): MaybePromise<Position> => {
  const find = (large: number | '', skip: number) => {
    const prefix = blocksIn(list, large);
    const args = { workspace, prefix, end: prefixEnd(prefix), length: prefix.length };
    return chain(db.get(blockCounts, args), (row) => blockAt(row?.counts ?? null, skip));
  };
  return chain(find('', offset), (large) =>
    large
      ? chain(find(large.block, large.skip), (small) =>
          small ? { below: large.block * LARGE + (small.block + 1) * SMALL, skip: small.skip } : PAST_THE_END,
        )
      : PAST_THE_END,
  );
};
