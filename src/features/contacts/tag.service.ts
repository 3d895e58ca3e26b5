import { largestCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { fold } from '../../lib/text.ts';
import type { Principal } from '../workspaces/principal.ts';
import { listOfTag } from './contact.derived.ts';

export type TagQuery = Partial<PageRequest> & { search?: string };

/** A workspace with more tags than this has them listed by use no further. */
const MAX_LISTED = 20_000;

const PREFIX = listOfTag('');

/** One page of the tags that contacts have, most used first, those that contain a text where one is given. Case and
 *  accents do not matter. They are read from the kept counts, so it does not matter how many contacts there are. */
export const listTags = longRead(
  'listTags',
  (db: Db, { workspace }: Principal, query: TagQuery): MaybePromise<Page> =>
    chain(largestCounters(db, workspace, { prefix: PREFIX, limit: MAX_LISTED }), (lists) => {
      const { limit, offset } = pageRequestOf(query);
      const needle = fold(query.search ?? '');
      const found = lists
        .map(({ list, count }) => ({ tag: list.slice(PREFIX.length), count }))
        .filter(({ tag }) => needle === '' || fold(tag).includes(needle))
        .sort((one, other) => other.count - one.count || (one.tag < other.tag ? -1 : 1));
      const page = found.slice(offset, offset + limit);
      return { json: page.map((each) => JSON.stringify(each)).join(','), total: found.length };
    }),
);
