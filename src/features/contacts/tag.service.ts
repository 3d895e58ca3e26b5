import { largestCounters } from '../../db/counters.ts';
import { longRead } from '../../db/operation.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { fold } from '../../lib/text.ts';
import type { Principal } from '../workspaces/principal.ts';
import { tagCounter } from './contact.derived.ts';

export const tagSorts = ['name', '-name', 'count', '-count'] as const;

export type TagQuery = Partial<PageRequest> & {
  search?: string;
  sort?: (typeof tagSorts)[number];
  similar?: 'true' | 'false';
};

interface TagCount {
  readonly tag: string;
  readonly count: number;
}

const byName = (one: TagCount, other: TagCount) => (one.tag < other.tag ? -1 : 1);
/** Similar tags are next to each other. */
const byFoldedName = (one: TagCount, other: TagCount) => {
  const [first, second] = [fold(one.tag), fold(other.tag)];
  return first === second ? byName(one, other) : first < second ? -1 : 1;
};
const byCount = (one: TagCount, other: TagCount) => other.count - one.count || byName(one, other);
const orders = { name: byFoldedName, '-name': byFoldedName, count: byCount, '-count': byCount };
const REVERSED: readonly string[] = ['-name', 'count'];

/** The tags that differ from another one only by case or accents. */
const similarTags = (tags: readonly TagCount[]): TagCount[] => {
  const groups = Map.groupBy(tags, ({ tag }) => fold(tag));
  return tags.filter(({ tag }) => (groups.get(fold(tag))?.length ?? 0) > 1);
};

/** Tags beyond this number are not listed. */
const MAX_LISTED = 20_000;

const PREFIX = tagCounter('');

/** One page of the tags, most used first. Reads only counters, so its work does not grow with the contacts. */
export const listTags = longRead('listTags', (db, { workspace }: Principal, query: TagQuery) =>
  chain(largestCounters(db, workspace, { prefix: PREFIX, limit: MAX_LISTED }), (lists) => {
    const { limit, offset } = pageRequestOf(query);
    const needle = fold(query.search ?? '');
    const all = lists.map(({ list, count }) => ({ tag: list.slice(PREFIX.length), count }));
    const isSimilar = query.similar === 'true';
    const { sort = isSimilar ? 'name' : '-count' } = query;
    const found = (isSimilar ? similarTags(all) : all)
      .filter(({ tag }) => needle === '' || fold(tag).includes(needle))
      .sort(orders[sort]);
    if (REVERSED.includes(sort)) found.reverse();
    const page = found.slice(offset, offset + limit);
    return { json: page.map((each) => JSON.stringify(each)).join(','), total: found.length };
  }),
);
