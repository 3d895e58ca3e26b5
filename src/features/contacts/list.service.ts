import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { type PagedNeedle, pagedSearch } from '../../db/search.ts';
import type { Arguments } from '../../db/statement.ts';
import { invalidField } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { isStorable } from '../../lib/text.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import { bareOf, type Condition, EVERY, type Plan } from '../../records/list.ts';
import type { Principal } from '../workspaces/principal.ts';
import { conditionsOf, hasFilters } from './contact.filters.ts';
import { including } from './contact.include.ts';
import { activitySorts, type ContactQuery, type FilterQuery } from './contact.schema.ts';
import { listContacts, listGrows } from './contact.service.ts';
import * as store from './contact.store.ts';
import { type ContactFilter, type Terms, termsOf, wordsOf } from './contact.terms.ts';
import { contactList, contactRows } from './list.store.ts';
import { phoneNeedle } from './phone.ts';

/** Whether a list is one of these. All others are lists in the order of creation, with an offset. */
export const hasCursorParameters = ({ cursor, sort, ...filter }: ContactQuery): boolean =>
  cursor !== undefined || sort !== undefined || hasFilters(filter);

/** How many contacts of the range a page with filters examines, and how many the total of the first page. */
const EXAMINED = 2_000;
const COUNTED = 10_000;

const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Part of the searchable text, or of the digits of the number. */
const searchConditions = (search: string): Condition[] => {
  if (!search) return [];
  const digits = phoneNeedle(search);
  const parts = [{ filter: 'pattern', value: patternOf(store.searchable(search)) }];
  return [{ any: digits === null ? parts : [...parts, { filter: 'digits', value: patternOf(digits) }] }];
};

const isByActivity = ({ last_activity_since, last_activity_before }: ContactFilter): boolean =>
  Boolean(last_activity_since || last_activity_before);

/** The order of a list. Without a `sort`, a filter by time orders by that time. */
const orderOf = (sort: ContactQuery['sort'], filter: ContactFilter): string | undefined => {
  if (sort) return sort;
  if (filter.updated_since) return '-updated_at';
  if (filter.last_contact_since || filter.last_contact_before || isByActivity(filter))
    return '-last_contact_at';
  return filter.created_since || filter.created_before ? '-created_at' : undefined;
};

const assertNoOffset = ({ cursor, offset }: ContactQuery) => {
  if (offset === undefined || (offset === 0 && !cursor)) return;
  throw invalidField(
    'offset',
    'cannot be combined with cursor, sort or these filters. Follow the Link header of each page instead.',
  );
};

export interface ListedPage {
  readonly json: string;
  readonly total: number;
  readonly offset: number;
  /** The cursor of the next page; undefined after the last. */
  readonly next: string | undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The last contact of the page before, the number of contacts on all pages before, and the total that the first page counted. */
export const contactCursor = {
  read: ([key, seq, offset, total]: readonly unknown[]) =>
    typeof key === 'string' && isStorable(key) && isCount(seq) && isCount(offset) && isCount(total)
      ? { after: { key, seq }, offset, total }
      : undefined,
  message:
    'is not valid for this list. Use the cursor of the previous page with the same sort and filters, or start again without a cursor.',
};

const cursorConditions = (query: ContactQuery): Condition[] => [
  ...conditionsOf(query),
  ...searchConditions(query.search ?? ''),
];

const cursorPlan = (query: ContactQuery): Plan =>
  contactList.plan(cursorConditions(query), orderOf(query.sort, query) ?? 'newest');

/** One page of a sorted or filtered list. */
export const listSorted = read(
  'listSorted',
  async (db: Db, principal: Principal, query: ContactQuery): Promise<ListedPage> => {
    assertNoOffset(query);
    const { workspace } = principal;
    const { limit } = pageRequestOf(query);
    const plan = cursorPlan(query);
    const list = [workspace, orderOf(query.sort, query), cursorConditions(query)];
    const { after, offset, total } = query.cursor
      ? decodeCursor(list, query.cursor, contactCursor)
      : {
          after: undefined,
          offset: 0,
          total: await contactList.total(db, plan, workspace, { examined: COUNTED }),
        };
    const isFiltered = plan.others.length > 0;
    const rows = await contactList.page(db, plan, contactRows, {
      workspace,
      after,
      limit: limit + 1,
      ...(isFiltered && { examined: EXAMINED }),
    });
    const shown = rows.slice(0, limit);
    const lastExamined = { workspace, after, limit: 1, offset: EXAMINED - 1 };
    const last =
      rows.length > limit
        ? shown.at(-1)
        : isFiltered
          ? (await contactList.page(db, bareOf(plan), contactRows, lastExamined))[0]
          : undefined;
    return including(db, principal, query.include, {
      json: shown.map(({ wire }) => wire).join(','),
      total,
      offset,
      next: last && encodeCursor(list, [last.key, Number(last.seq), offset + shown.length, total]),
    });
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

const numberedPlan = (query: ListFilter, terms: Terms, order = orderOf(query.sort, query)): Plan =>
  contactList.plan(
    [...conditionsOf(query), ...searchConditions(terms.search), ...wordsOf(terms)],
    order ?? 'newest',
  );

/** A page of a plan, and the number of contacts, which ends at `counted` unless there is a counter. */
const numberedPage = async (
  db: Db,
  { workspace }: Principal,
  plan: Plan,
  { limit, offset, counted }: PageRequest & { counted: number },
): Promise<NumberedPage> => {
  const rows = await contactList.page(db, plan, contactRows, { workspace, limit, offset });
  const json = rows.map(({ wire }) => wire).join(',');
  const most = Math.max(counted, offset + limit);
  const total = await contactList.total(db, plan, workspace, { cap: most + 1 });
  return plan.counter || total <= most ? { json, total } : { json, total: most, isCapped: true };
};

type ActivityOrder = (typeof activitySorts)[number];

const isActivityOrder = (sort: FilterQuery['sort']): sort is ActivityOrder =>
  activitySorts.some((each) => each === sort);

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
  const { limit, offset } = pageRequestOf(query);
  const terms = termsOf(query.search ?? '');
  const { counter } = numberedPlan(query, terms);
  const plan = { ...numberedPlan(query, terms, order), counter: undefined };
  const page = { limit, offset, counted: counter ? 0 : counted };
  const active = await numberedPage(db, principal, plan, page);
  const count = active.total;
  const total = counter ? Number(await readCounter(db, principal.workspace, counter)) : undefined;
  if (active.isCapped) return total === undefined ? active : { json: active.json, total };
  if (isByActivity(query) || query.called) return active;
  const missing = limit - Math.min(limit, Math.max(0, count - offset));
  const others = {
    ...query,
    called: false,
    limit: Math.max(1, missing),
    offset: Math.max(0, offset - count),
  };
  const rest = await pageOf(db, principal, others, counter ? 0 : counted - count);
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
  const page = pageRequestOf(query);
  if (terms.search && !orderOf(query.sort, query)) {
    const needle = { text: store.searchable(terms.search), phone: phoneNeedle(terms.search) };
    const plan = contactList.plan([...conditionsOf(query), ...wordsOf(terms)], 'newest');
    const search = contactList.built('search', plan, (shape) =>
      pagedSearch<PagedNeedle & Arguments>(contactList.meets(shape)),
    );
    return db.search.page(search, { ...plan.args, ...page, ...needle, workspace: principal.workspace });
  }
  return numberedPage(db, principal, numberedPlan(query, terms), { ...page, counted });
};

/** Lists the contacts of a filter by page number, with the search of the dashboard (see contact.terms.ts). The total is exact up
 *  to 10,000, and beyond if there is a counter or a search. */
export const filterContacts = read(
  'filterContacts',
  (db: Db, principal: Principal, query: FilterQuery): MaybePromise<NumberedPage> =>
    including(
      db,
      principal,
      query.include,
      pageOf(db, principal, query, query.count === 'exact' ? EVERY : COUNTED),
    ),
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
