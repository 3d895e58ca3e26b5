import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { seekPosition } from '../../db/deep-pagination.ts';
import { read } from '../../db/operation.ts';
import { invalidField } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { isStorable } from '../../lib/text.ts';
import { decodeCursor, encodeCursor } from '../../records/cursor.ts';
import type { Condition } from '../../records/list.declaration.ts';
import { bareOf, EVERY, type Plan } from '../../records/list.ts';
import type { Principal } from '../workspaces/principal.ts';
import { tagCounter } from './contact.derived.ts';
import { conditionsOf, hasFilters, resolved } from './contact.filters.ts';
import { including } from './contact.include.ts';
import * as lists from './contact.lists.ts';
import type { ContactQuery, FilterQuery } from './contact.schema.ts';
import { type ContactFilter, needleOf, type Terms, termsOf, wordsOf } from './contact.terms.ts';
import { isByPosition, pageByPosition, planContacts } from './filter.ranges.ts';
import { contactList, contactRows } from './list.store.ts';

/* The lists of contacts: by offset, with the documented filters for the API and with all of them for the dashboard, and by
 * cursor. */

/** How many contacts of the range a page with filters examines, and how many the total of the first page. */
const EXAMINED = 2_000;
const COUNTED = 10_000;

/** What a list finds, and its order if that is not the order of creation. */
interface Wanted {
  readonly filter: ContactFilter;
  readonly terms: Terms;
  readonly order: string | undefined;
}

const isByActivity = ({ last_activity_since, last_activity_before }: ContactFilter): boolean =>
  Boolean(last_activity_since || last_activity_before);

/** The order of a list without `sort`: a filter by time orders by that time. */
const orderByFilter = (filter: ContactFilter): string | undefined => {
  if (filter.updated_since) return '-updated_at';
  if (filter.last_contact_since || filter.last_contact_before || isByActivity(filter))
    return '-last_contact_at';
  return filter.created_since || filter.created_before ? '-created_at' : undefined;
};

/** The list of the API, whose search matches part of the text as it is. */
const wantedBy = (query: ContactQuery): Wanted => ({
  filter: query,
  terms: { search: query.search ?? '', words: '[]' },
  order: query.sort ?? orderByFilter(query),
});

/** The list of the dashboard (see contact.terms.ts). */
const wantedOnDashboard = (query: FilterQuery): Wanted => ({
  filter: query,
  terms: termsOf(query.search ?? ''),
  order: query.sort ?? (isByActivity(query) ? '-last_activity_at' : orderByFilter(query)),
});

const patternOf = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Part of the searchable text, or of the digits of the number. */
const searchConditions = (search: string): Condition[] => {
  if (!search) return [];
  const { text, phone } = needleOf(search);
  const parts = [{ filter: 'pattern', value: patternOf(text) }];
  return [{ any: phone === null ? parts : [...parts, { filter: 'digits', value: patternOf(phone) }] }];
};

const conditionsIn = ({ filter, terms }: Wanted): Condition[] => [
  ...conditionsOf(filter),
  ...searchConditions(terms.search),
  ...wordsOf(terms),
];

const planOf = (wanted: Wanted, order = wanted.order ?? 'newest'): Plan =>
  contactList.plan(conditionsIn(wanted), order);

/** The plan of a list whose filter can be selective (see filter.ranges.ts). */
const selectivePlan = (db: Db, { workspace }: Principal, wanted: Wanted): MaybePromise<Plan> => {
  const { order = 'newest', filter } = wanted;
  return planContacts(db, workspace, { conditions: conditionsIn(wanted), ranges: filter.ranges, order });
};

/** The contacts of a page, and how many there are if that is known. */
const rowsOf = (db: Db, plan: Plan, page: ListPage): MaybePromise<ListedRow[]> => {
  if (!isByPosition(plan))
    return contactList.page(db, plan, plan.range.foundBy ? lists.sortedRows : contactRows, page);
  const { workspace, limit, offset = 0, after } = page;
  const seq = Number(after?.seq ?? (plan.order.isAscending ? 0 : Number.MAX_SAFE_INTEGER));
  return db.all(pageByPosition(plan), { ...plan.args, workspace, limit, offset, seq });
};
type ListPage = Parameters<typeof contactList.page>[3];
type ListedRow = { seq: number; key: string; wire: string; total?: number };

/** A page of a list by its number. */
export interface NumberedPage extends Page {
  /** Whether the list may have more contacts than `total`. */
  readonly isCapped?: boolean;
}

/** A page of a plan, and the number of contacts, which ends at `counted` unless there is a counter. */
const numberedPage = async (
  db: Db,
  { workspace }: Principal,
  plan: Plan,
  { limit, offset, counted }: PageRequest & { counted: number },
): Promise<NumberedPage> => {
  const rows = await rowsOf(db, plan, { workspace, limit, offset });
  const json = rows.map(({ wire }) => wire).join(',');
  const most = Math.max(counted, offset + limit);
  const known = rows[0]?.total ?? (plan.range.foundBy && offset === 0 ? 0 : undefined);
  const total = Number(known ?? (await contactList.total(db, plan, workspace, { cap: most + 1 })));
  return plan.counter || total <= most ? { json, total } : { json, total: most, isCapped: true };
};

/** A page of all contacts, or of those with a tag, newest first. */
const plainPage = (db: Db, workspace: number, tag: string | undefined, page: PageRequest) => {
  const args = { workspace, ...page };
  if (tag) return db.get(lists.listTagged, { ...args, tag, list: tagCounter(tag) });
  const position = isDeepPage(page)
    ? seekPosition(db, workspace, 'contacts', page.offset)
    : { below: Number.MAX_SAFE_INTEGER, skip: page.offset };
  return chain(position, ({ below, skip }) =>
    db.get(lists.listAll, { ...args, below, offset: skip, list: 'contacts' }),
  );
};

/** The total ends at `counted`, unless there is a counter or a search. */
const pageOf = (
  db: Db,
  principal: Principal,
  wanted: Wanted,
  page: PageRequest & { counted: number },
): MaybePromise<NumberedPage> => {
  const { filter, terms, order } = wanted;
  const { workspace } = principal;
  const { counted: _, ...at } = page;
  if (terms.search && !order) {
    const plan = contactList.plan([...conditionsOf(filter), ...wordsOf(terms)], 'newest');
    const args = { ...plan.args, ...at, ...needleOf(terms.search), workspace };
    return db.search.page(lists.searchOf(plan), args);
  }
  if (order || hasFilters(filter))
    return chain(selectivePlan(db, principal, wanted), (plan) => numberedPage(db, principal, plan, page));
  return plainPage(db, workspace, filter.tag, at) as MaybePromise<Page>;
};

const isActivityOrder = (order: string | undefined): order is string =>
  order?.endsWith('last_activity_at') ?? false;

/** A page in the order of the last activity: the contacts that had any, then the others. */
const activityPage = async (
  db: Db,
  principal: Principal,
  wanted: Wanted,
  { limit, offset, counted }: PageRequest & { counted: number },
): Promise<NumberedPage> => {
  const { filter } = wanted;
  const { counter } = planOf(wanted, 'newest');
  const plan = { ...planOf(wanted), counter: undefined };
  const active = await numberedPage(db, principal, plan, { limit, offset, counted: counter ? 0 : counted });
  const count = active.total;
  const total = counter ? Number(await readCounter(db, principal.workspace, counter)) : undefined;
  if (active.isCapped) return total === undefined ? active : { json: active.json, total };
  if (isByActivity(filter) || filter.called) return active;
  const missing = limit - Math.min(limit, Math.max(0, count - offset));
  const others = { ...wanted, filter: { ...filter, called: false }, order: orderByFilter(filter) };
  const rest = await pageOf(db, principal, others, {
    limit: Math.max(1, missing),
    offset: Math.max(0, offset - count),
    counted: counter ? 0 : counted - count,
  });
  return {
    json: [active.json, missing > 0 ? rest.json : ''].filter(Boolean).join(','),
    total: total ?? count + rest.total,
    isCapped: total === undefined && rest.isCapped === true,
  };
};

/** Whether the work of a list grows with the workspace, which makes it a long read. */
const grows = ({ search, tag, offset }: Pick<ContactQuery, 'search' | 'tag' | 'offset'>): boolean =>
  Boolean(search) || (Boolean(tag) && isDeepPage({ offset }));

/** One page, newest first. */
export const listContacts = read(
  'listContacts',
  (db, principal: Principal, query: ContactQuery): MaybePromise<Page> => {
    const page = { ...pageRequestOf(query), counted: COUNTED };
    return including(db, principal, query.include, pageOf(db, principal, wantedBy(query), page));
  },
  { cacheable: true, isLong: grows },
);

const filteredPage = (db: Db, principal: Principal, query: FilterQuery): MaybePromise<NumberedPage> => {
  const wanted = wantedOnDashboard(query);
  const page = { ...pageRequestOf(query), counted: query.count === 'exact' ? EVERY : COUNTED };
  return isActivityOrder(wanted.order)
    ? activityPage(db, principal, wanted, page)
    : pageOf(db, principal, wanted, page);
};

/** Lists the contacts of a filter by page number, with the search of the dashboard. The total is exact up to 10,000, and beyond if
 *  there is a counter or a search. */
export const filterContacts = read(
  'filterContacts',
  (db, principal: Principal, query: FilterQuery): MaybePromise<NumberedPage> => {
    const found = chain(resolved(db, principal, query), (filter) =>
      filteredPage(db, principal, filter as FilterQuery),
    );
    return including(db, principal, query.include, found);
  },
  {
    // The result of a filter can depend on the time, and a segment on the caller.
    cacheable: ({ filter, segment }) => filter === undefined && !segment,
    isLong: (query) => query.sort !== undefined || hasFilters(query) || grows(query),
  },
);

/** The exact number of contacts of a filter. Its work grows with the workspace. */
export const countFiltered = async (db: Db, principal: Principal, filter: ContactFilter): Promise<number> =>
  (await filteredPage(db, principal, { ...filter, limit: 1, count: 'exact' } as FilterQuery)).total;

/** Whether a list is by cursor. */
export const hasCursorParameters = ({ cursor, sort, ...filter }: ContactQuery): boolean =>
  cursor !== undefined || sort !== undefined || hasFilters(filter);

const assertNoOffset = ({ cursor, offset }: ContactQuery) => {
  if (offset === undefined || (offset === 0 && !cursor)) return;
  throw invalidField(
    'offset',
    'cannot be combined with cursor, sort or these filters. Follow the Link header of each page instead.',
  );
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The last contact of the page before, the number of contacts on all pages before, and the total that the first page counted, which
 *  may be a lower bound. */
export const contactCursor = {
  read: ([key, seq, offset, total, isCapped]: readonly unknown[]) =>
    typeof key === 'string' && isStorable(key) && isCount(seq) && isCount(offset) && isCount(total)
      ? { after: { key, seq }, offset, total, isCapped: isCapped === 1 }
      : undefined,
  message:
    'is not valid for this list. Use the cursor of the previous page with the same sort and filters, or start again without a cursor.',
};

/** The total of the first page: exact for few contacts and with a counter, otherwise the matches among the first of the range. */
const countOf = async (db: Db, { workspace }: Principal, plan: Plan, [first]: readonly ListedRow[]) => {
  if (plan.range.foundBy) return { total: Number(first?.total ?? 0), isCapped: false };
  if (plan.counter) return { total: await contactList.total(db, plan, workspace), isCapped: false };
  const { count, examined } = await contactList.totalAmong(db, plan, workspace, COUNTED + 1);
  return { total: count, isCapped: examined > COUNTED };
};

/** One page of a sorted or filtered list. */
export const listSorted = read(
  'listSorted',
  async (db, principal: Principal, query: ContactQuery) => {
    assertNoOffset(query);
    const { workspace } = principal;
    const { limit } = pageRequestOf(query);
    const wanted = wantedBy({ ...query, ...(await resolved(db, principal, query)) });
    const plan = await selectivePlan(db, principal, wanted);
    // Relative times differ from page to page.
    const { filter: tree, segment, ...others } = query;
    const list = [
      workspace,
      wanted.order,
      conditionsIn(wantedBy(others)),
      ...(tree || segment ? [tree ?? null, segment ?? ''] : []),
    ];
    const position = query.cursor ? decodeCursor(list, query.cursor, contactCursor) : undefined;
    const { after, offset = 0 } = position ?? {};
    const isFiltered = plan.others.length > 0 && !plan.range.foundBy;
    const page = { workspace, after, limit: limit + 1, ...(isFiltered && { examined: EXAMINED }) };
    const rows = await rowsOf(db, plan, page);
    const { total, isCapped } = position ?? (await countOf(db, principal, plan, rows));
    const shown = rows.slice(0, limit);
    const isWhole = !query.cursor && !isCapped && shown.length >= total;
    const lastExamined = { workspace, after, limit: 1, offset: EXAMINED - 1 };
    const last =
      rows.length > limit
        ? shown.at(-1)
        : isFiltered && !isWhole
          ? (await contactList.page(db, bareOf(plan), contactRows, lastExamined))[0]
          : undefined;
    return including(db, principal, query.include, {
      json: shown.map(({ wire }) => wire).join(','),
      total,
      offset,
      isCapped,
      next:
        last &&
        encodeCursor(list, [last.key, Number(last.seq), offset + shown.length, total, Number(isCapped)]),
    });
  },
  {
    isLong: (query) =>
      query.filter !== undefined || Boolean(query.segment) || planOf(wantedBy(query)).counter === undefined,
  },
);
