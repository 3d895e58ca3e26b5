import { largestCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { fold } from '../../lib/text.ts';
import type { Principal } from '../workspaces/principal.ts';
import { tagCounter } from './contact.derived.ts';

export type TagQuery = Partial<PageRequest> & { search?: string };

/** Tags beyond this number are not listed. */
const MAX_LISTED = 20_000;

const PREFIX = tagCounter('');

/** One page of the tags, most used first. Reads only counters, so its work does not grow with the contacts. */
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
