import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { invalid } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, pageRequestOf } from '../../lib/page.ts';
import { lowerAscii } from '../../lib/text.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type Cursor, decodeCursor, encodeCursor, type ListIdentity } from './contact.cursor.ts';
import { tagCounter } from './contact.derived.ts';
import * as lists from './contact.lists.ts';
import type { ContactQuery, FilterQuery } from './contact.schema.ts';
import { listContacts, listGrows } from './contact.service.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, type Terms, termsOf } from './contact.terms.ts';
import {
  activityPages,
  type Conditions,
  type Flag,
  type ListedRow,
  NO_END,
  type Position,
  type RangeArgs,
  type RangeName,
  rangeStatements,
  tagSlots,
} from './list.store.ts';
import { phoneNeedle } from './phone.ts';

/** Whether a list is one of these. All others are lists in the order of creation, with an offset. */
export const hasCursorParameters = ({ cursor, sort, ...filter }: ContactQuery): boolean =>
  cursor !== undefined || sort !== undefined || hasFilters(filter);

/** Whether a list has filters besides `search` and `tag`. */
export const hasFilters = (filter: ContactFilter): boolean =>
  FILTERS.some((name) => {
    const value = filter[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
  });

const FILTERS = [
  'created_since',
  'created_before',
  'updated_since',
  'last_contact_since',
  'last_contact_before',
  'last_activity_since',
  'last_activity_before',
  'source',
  'company',
  'email',
  'campaign',
  'import',
  'has_tag',
  'has_email',
  'has_name',
  'in_campaign',
  'called',
] as const satisfies (keyof ContactFilter)[];

/** How many contacts of the range a page with filters examines, and how many the total of the first page. */
const EXAMINED = 2_000;
const COUNTED = 10_000;

interface Plan {
  readonly range: RangeName;
  readonly conditions: Conditions;
  /** The tag of the range, or the tags whose ranges are merged. */
  readonly tags: readonly string[];
  /** The counter that has the total, if there is one. */
  readonly counter: string | undefined;
  /** Whether a contact of the range may not meet the conditions. */
  readonly isFiltered: boolean;
}

const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const flagOf = (flag: boolean | undefined): Flag => (flag === undefined ? '' : flag ? 'yes' : 'no');

/** Tags of which a contact must have all, and tags of which it must have any. */
const tagsOf = ({ tag = '', has_tag = [], has_tag_match = 'any' }: ContactFilter) => {
  const isAll = has_tag_match === 'all' || has_tag.length < 2;
  return {
    all: [...new Set([...(tag ? [tag] : []), ...(isAll ? has_tag : [])])],
    any: isAll ? [] : has_tag,
  };
};

const latest = (one = '', other = ''): string => (one > other ? one : other);

const campaignId = typeId('campaign');
const importId = typeId('import');

/** The conditions of a filter, except for its search. */
export const conditionsOf = (filter: ContactFilter): Conditions => {
  const { all, any } = tagsOf(filter);
  return {
    source: filter.source ?? '',
    company: filter.company ?? '',
    email: filter.email ? lowerAscii(filter.email) : '',
    created_since: filter.created_since ?? '',
    created_before: filter.created_before ?? NO_END,
    updated_since: filter.updated_since ?? '',
    // No call is later than the last contact, which may be the creation.
    last_contact_since: latest(filter.last_contact_since, filter.last_activity_since),
    last_contact_before: filter.last_contact_before ?? NO_END,
    last_activity_since: filter.last_activity_since ?? '',
    last_activity_before: filter.last_activity_before ?? NO_END,
    campaign: filter.campaign ? (campaignId.parse(filter.campaign) ?? filter.campaign) : '',
    import: filter.import ? (importId.parse(filter.import) ?? filter.import) : '',
    has_email: flagOf(filter.has_email),
    has_name: flagOf(filter.has_name),
    in_campaign: flagOf(filter.in_campaign),
    called: flagOf(filter.called),
    words: '[]',
    pattern: '',
    digits: null,
    all: JSON.stringify(all),
    any: JSON.stringify(any),
  };
};

/** The conditions of a search: part of a text, or also words in any order. */
const searchOf = (search: string, words = '[]'): Pick<Conditions, 'pattern' | 'digits' | 'words'> => {
  const digits = search ? phoneNeedle(search) : null;
  return {
    pattern: search ? patternOf(store.searchable(search)) : '',
    digits: digits === null ? null : patternOf(digits),
    words,
  };
};

/** The most selective range that a filter has an index for, in the order of creation. */
const rangeOf = (conditions: Conditions, { all, any }: ReturnType<typeof tagsOf>): RangeName => {
  if (conditions.email) return 'email';
  if (all[0]) return 'tagged';
  if (conditions.company) return 'company';
  if (conditions.has_name === 'no') return 'withoutName';
  if (any[0]) return 'taggedAny';
  if (conditions.source) return 'source';
  return conditions.has_email === 'no' ? 'withoutEmail' : 'newest';
};

const isByActivity = ({ last_activity_since, last_activity_before }: ContactFilter): boolean =>
  Boolean(last_activity_since || last_activity_before);

/** The order of a list. Without a `sort`, a filter by time orders by that time. */
const orderOf = (sort: ContactQuery['sort'], filter: ContactFilter): RangeName | undefined => {
  if (sort) return sort;
  if (filter.updated_since) return '-updated_at';
  if (filter.last_contact_since || filter.last_contact_before || isByActivity(filter))
    return '-last_contact_at';
  return filter.created_since || filter.created_before ? '-created_at' : undefined;
};

/** The filters that each range applies on its own. */
const OWN: Partial<Record<RangeName, readonly (keyof Conditions)[]>> = {
  email: ['email'],
  company: ['company'],
  source: ['source'],
  withoutEmail: ['has_email'],
  withoutName: ['has_name'],
  created_at: ['created_since', 'created_before'],
  '-created_at': ['created_since', 'created_before'],
  updated_at: ['updated_since'],
  '-updated_at': ['updated_since'],
  last_contact_at: ['last_contact_since', 'last_contact_before'],
  '-last_contact_at': ['last_contact_since', 'last_contact_before'],
};

/** Values of conditions that every contact meets. */
const ABSENT: ReadonlySet<string | null> = new Set(['', '[]', NO_END]);

/** Chooses the index range that a list reads. The remaining filters are conditions. */
const planOf = (
  { sort, ...filter }: ContactFilter & Pick<ContactQuery, 'sort'>,
  search: ReturnType<typeof searchOf>,
): Plan => {
  const tags = tagsOf(filter);
  const conditions = { ...conditionsOf(filter), ...search };
  const range = orderOf(sort, filter) ?? rangeOf(conditions, tags);
  const applied = Object.entries({ ...conditions, all: '', any: '', digits: '' })
    .filter(([, value]) => !ABSENT.has(value))
    .map(([name]) => name as keyof Conditions);
  const byTags = [...tags.all, tags.any.join()].filter(Boolean).length;
  const isByTag = range === 'tagged' || range === 'taggedAny';
  const others = applied.filter((name) => !OWN[range]?.includes(name));
  return {
    range,
    conditions,
    tags: range === 'tagged' ? tags.all : tags.any,
    counter:
      applied.length + byTags === 0
        ? 'contacts'
        : range === 'tagged' && applied.length === 0 && byTags === 1
          ? tagCounter(tags.all[0] as string)
          : undefined,
    isFiltered: others.length + byTags > (isByTag ? 1 : 0),
  };
};

/** The position before the first contact of a range. Times begin with a digit. */
const startOf = (range: RangeName, conditions: Conditions): Position => {
  const { source, created_before, last_contact_before } = conditions;
  if (range === 'name') return { key: '', seq: -1 };
  if (range === 'created_at') return { key: conditions.created_since, seq: -1 };
  if (range === 'updated_at') return { key: conditions.updated_since, seq: -1 };
  if (range === 'last_contact_at') return { key: conditions.last_contact_since, seq: -1 };
  if (range === '-created_at') return { key: created_before, seq: 0 };
  if (range === '-last_contact_at') return { key: last_contact_before, seq: 0 };
  const key = range === 'source' ? source : range === '-name' ? '\u{10ffff}' : 'z';
  return { key, seq: Number.MAX_SAFE_INTEGER };
};

const assertNoOffset = ({ cursor, offset }: ContactQuery) => {
  if (offset === undefined || (offset === 0 && !cursor)) return;
  throw invalid([
    {
      field: 'offset',
      message:
        'cannot be combined with cursor, sort or these filters. Follow the Link header of each page instead.',
    },
  ]);
};

export interface ListedPage {
  readonly json: string;
  readonly total: number;
  readonly offset: number;
  /** The cursor of the next page; undefined after the last. */
  readonly next: string | undefined;
}

type Part = Position & Pick<RangeArgs, 'examined' | 'limit'>;

const rangeArgs = (workspace: number, { conditions, tags }: Plan, part: Part): RangeArgs => ({
  ...conditions,
  ...tagSlots(tags),
  ...part,
  workspace,
  skipped: part.examined - 1,
  offset: 0,
  found: 0,
  tag: tags[0] ?? '',
});

const cursorPlan = (query: ContactQuery): Plan => planOf(query, searchOf(query.search ?? ''));

/** Filters that were added later are part of it only if they are given, so that older cursors stay valid. */
const identityOf = (workspace: number, { range, conditions }: Plan): ListIdentity => {
  const { source, company, email, created_since, updated_since, pattern, digits, all, any, ...added } =
    conditions;
  const given = Object.entries(added).filter(([, value]) => !ABSENT.has(value));
  const first = [source, company, email, created_since, updated_since, pattern, digits, all, any];
  return [workspace, range, ...first, ...given.flat()];
};

/** One page of a sorted or filtered list. */
export const listSorted = read(
  'listSorted',
  async (db: Db, { workspace }: Principal, query: ContactQuery): Promise<ListedPage> => {
    assertNoOffset(query);
    const { limit } = pageRequestOf(query);
    const plan = cursorPlan(query);
    const { range } = plan;
    const list = identityOf(workspace, plan);
    const cursor = query.cursor ? decodeCursor(list, query.cursor) : undefined;
    const statements = rangeStatements[range];
    const from = (position: Position, examined: number): RangeArgs =>
      rangeArgs(workspace, plan, { ...position, examined, limit: limit + 1 });
    const start = startOf(range, plan.conditions);
    const countTotal = async (): Promise<number> =>
      plan.counter
        ? readCounter(db, workspace, plan.counter)
        : ((await db.get(statements.count, from(start, COUNTED)))?.count ?? 0);
    const { position, offset, total }: Cursor = cursor ?? {
      position: start,
      offset: 0,
      total: await countTotal(),
    };
    const args = from(position, plan.isFiltered ? EXAMINED : limit + 1);
    const rows: ListedRow[] = await db.all(statements.page, args);
    const shown = rows.slice(0, limit);
    const last =
      rows.length > limit ? shown.at(-1) : plan.isFiltered ? await db.get(statements.end, args) : undefined;
    const next = last && {
      position: { key: last.key, seq: Number(last.seq) },
      offset: offset + shown.length,
      total: Number(total),
    };
    return {
      json: shown.map(({ wire }) => wire).join(','),
      total: Number(total),
      offset,
      next: next && encodeCursor(list, next),
    };
  },
  { isLong: (query) => cursorPlan(query).counter === undefined },
);

/** A page of a list by its number. */
export interface NumberedPage extends Page {
  /** Whether the list may have more contacts than `total`. */
  readonly isCapped?: boolean;
}

/** Whether a filter with these terms is a list of the API, which has faster ways. */
const isPlain = (query: ListFilter, { words }: Terms): boolean =>
  words === '[]' && query.sort === undefined && !hasFilters(query);

/** A filter whose order is not that of the last activity. */
type ListFilter = Omit<FilterQuery, 'sort'> & Pick<ContactQuery, 'sort'>;

const numberedPlan = (query: ListFilter, terms: Terms): Plan =>
  planOf(query, searchOf(terms.search, terms.words));

type ActivityOrder = keyof typeof activityPages;

const isActivityOrder = (sort: FilterQuery['sort']): sort is ActivityOrder =>
  sort !== undefined && sort in activityPages;

/** The order by the last call or message, if a list has it, and the list without it. */
const activityOrderOf = ({
  sort,
  ...filter
}: FilterQuery): { order: ActivityOrder | undefined; query: ListFilter } => {
  if (isActivityOrder(sort)) return { order: sort, query: filter };
  const isByDefault = sort === undefined && isByActivity(filter);
  return { order: isByDefault ? '-last_activity_at' : undefined, query: { ...filter, sort } };
};

/** A page in the order of the last activity: the contacts that had any, then the others. */
const activityPage = async (
  db: Db,
  principal: Principal,
  { order, query, counted }: { order: ActivityOrder; query: ListFilter; counted: number },
): Promise<NumberedPage> => {
  const { workspace } = principal;
  const { limit, offset } = pageRequestOf(query);
  const plan = numberedPlan(query, termsOf(query.search ?? ''));
  const found = plan.counter ? offset + limit : Math.max(counted, offset + limit) + 1;
  const position = { key: '', seq: 0, examined: 1, limit };
  const args: RangeArgs = { ...rangeArgs(workspace, plan, position), offset, found };
  const active = (await db.get(activityPages[order], args)) as Page;
  const count = Number(active.total);
  const total = plan.counter ? Number(await readCounter(db, workspace, plan.counter)) : undefined;
  if (count === found) return { json: active.json, total: total ?? found - 1, isCapped: total === undefined };
  if (isByActivity(query) || query.called) return { json: active.json, total: count };
  const missing = limit - Math.min(limit, Math.max(0, count - offset));
  const others = {
    ...query,
    called: false,
    limit: Math.max(1, missing),
    offset: Math.max(0, offset - count),
  };
  const rest = await pageOf(db, principal, others, plan.counter ? 0 : counted - count);
  return {
    json: [active.json, missing > 0 ? rest.json : ''].filter(Boolean).join(','),
    total: total ?? count + rest.total,
    isCapped: total === undefined && rest.isCapped === true,
  };
};

/** The page of a filter. The total ends at `counted`, unless there is a counter or a search. */
const pageOf = (
  db: Db,
  principal: Principal,
  query: FilterQuery,
  counted: number,
): MaybePromise<NumberedPage> => {
  const { order, query: listed } = activityOrderOf(query);
  return order
    ? activityPage(db, principal, { order, query: listed, counted })
    : listPage(db, principal, listed, counted);
};

const listPage = (
  db: Db,
  principal: Principal,
  query: ListFilter,
  counted: number,
): MaybePromise<NumberedPage> => {
  const terms = termsOf(query.search ?? '');
  if (isPlain(query, terms)) return listContacts(db, principal, { ...query, search: terms.search });
  const { workspace } = principal;
  const { limit, offset } = pageRequestOf(query);
  if (terms.search && !orderOf(query.sort, query)) {
    const needle = { text: store.searchable(terms.search), phone: phoneNeedle(terms.search) };
    const conditions = { ...conditionsOf(query), words: terms.words };
    return db.search.page(lists.searches.filtered, { workspace, limit, offset, ...needle, ...conditions });
  }
  const plan = numberedPlan(query, terms);
  const start = startOf(plan.range, plan.conditions);
  const args: RangeArgs = {
    ...rangeArgs(workspace, plan, { ...start, examined: 1, limit }),
    offset,
    found: plan.counter ? offset + limit : Math.max(counted, offset + limit) + 1,
  };
  return chain(db.get(rangeStatements[plan.range].numbered, args), (page) => {
    const { json, total } = page as Page;
    if (plan.counter)
      return chain(readCounter(db, workspace, plan.counter), (count) => ({ json, total: Number(count) }));
    const isCapped = Number(total) === args.found;
    return { json, total: Number(total) - (isCapped ? 1 : 0), isCapped };
  });
};

/** Lists the contacts of a filter by page number, with the search of the dashboard (see contact.terms.ts). The total is exact up
 *  to 10,000, and beyond if there is a counter or a search. */
export const filterContacts = read(
  'filterContacts',
  (db: Db, principal: Principal, query: FilterQuery): MaybePromise<NumberedPage> =>
    pageOf(db, principal, query, query.count === 'exact' ? EVERY : COUNTED),
  {
    cacheable: true,
    isLong: (query) => {
      const { order, query: listed } = activityOrderOf(query);
      if (order) return true;
      const terms = termsOf(query.search ?? '');
      if (isPlain(listed, terms)) return listGrows(listed);
      return numberedPlan(listed, terms).counter === undefined || isDeepPage(query);
    },
  },
);

/** The exact number of contacts of a filter. Its work grows with the workspace. */
export const countFiltered = async (db: Db, principal: Principal, filter: ContactFilter): Promise<number> => {
  const page = await pageOf(db, principal, { ...(filter as FilterQuery), limit: 1, offset: 0 }, EVERY);
  return page.total;
};

/** More than any workspace has. */
const EVERY = 2 ** 40;
