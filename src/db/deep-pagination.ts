import { sql } from 'kysely';
import { chain, type MaybePromise } from '../lib/maybe-promise.ts';
import { endOf } from './counters.ts';
import type { Db } from './db.ts';
import { statementsOver } from './statement.ts';

/* How a page deep in a list is found without walking past all that stand before it. The order of a list, its `seq`, is cut
 * into blocks of 100,000 places and these into blocks of 1,000, and each block has a kept count like any other list (see
 * tallies.ts). So the page is found by a few hundred counts, and at most 1,000 records are passed over one by one. */
const LARGE = 100_000;
const SMALL = 1_000;

/** The blocks of a list within one of its large blocks, or the large ones themselves. */
const blocksIn = (list: string, large: number | '') => `${list}#${large}/`;

/** The names under which a record is counted by its place. */
export const blocksOf = (list: string, seq: number): string[] => {
  const large = Math.floor(seq / LARGE);
  const small = Math.floor((seq % LARGE) / SMALL);
  return [`${blocksIn(list, '')}${large}`, `${blocksIn(list, large)}${small}`];
};

type Blocks = { workspace: number; prefix: string; end: string; length: number };

const statement = statementsOver<object>({ readsDerived: true });

/** In one row: reading them row by row would cost more than finding them. */
export const blockCounts = statement(
  (_, { workspace, prefix, end, length }: Blocks) => sql<{ counts: string | null }>`
    select string_agg(substr(list, ${length} + 1) || ' ' || count, ',') as counts from tallies
    where workspace_id = ${workspace} and list >= ${prefix} and list < ${end}`,
);

/** The block that holds the record with `skip` others before it, newest first, and how many are before it in the block. */
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

/** A place in a list: after `skip` of the records whose `seq` is below `below`, newest first. */
export interface Position {
  readonly below: number;
  readonly skip: number;
}

const PAST_THE_END: Position = { below: 0, skip: 0 };

/** The place of the record that has `offset` others before it in a list. */
export const seekPosition = (
  db: Db,
  workspace: number,
  list: string,
  offset: number,
): MaybePromise<Position> => {
  const find = (large: number | '', skip: number) => {
    const prefix = blocksIn(list, large);
    const args = { workspace, prefix, end: endOf(prefix), length: prefix.length };
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
