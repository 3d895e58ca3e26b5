import { largestCounters } from '../../db/counters.ts';
import { longRead } from '../../db/operation.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { pageFields, pageOf, pageRequestOf } from '../../lib/page.ts';
import { fold } from '../../lib/text.ts';
import * as v from '../../lib/validation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { tagCounter } from './contact.derived.ts';

export const tagQuery = v.object({
  ...pageFields,
  search: v.text({ max: 64, schema: { description: 'Matches part of the tag. Ignores case and accents.' } }),
  sort: v.described(
    v.oneOf(['name', '-name', 'count', '-count']),
    'The order of the list; `-` reverses it. Default: most used first.',
  ),
  similar: v.described(
    v.oneOf(['true', 'false']),
    'Whether to list only tags that differ from another one only by case or accents.',
  ),
});
type TagQuery = ReturnType<typeof tagQuery.read>;

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
    return pageOf(found.slice(offset, offset + limit), found.length);
  }),
);
