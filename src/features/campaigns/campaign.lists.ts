import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { type Needle, search } from '../../db/search.ts';
import { type Statement, statementsOver } from '../../db/statement.ts';
import { matchesWords } from '../contacts/list.store.ts';
import { type CampaignSort, campaignSorts, type EnrollmentSort } from './campaign.schema.ts';
import { type ListedCampaign, type ListedEnrollment, listed, named } from './campaign.store.ts';

/* The lists of campaigns and of their enrollments, by filter and order. Each filter and order is a statement of its own, so that the
 * engines plan it with its index. */

const statement = statementsOver<object>({ readsDerived: true, planOnce: false });

type PageArgs = { workspace: number; limit: number; offset: number };

export type CampaignListArgs = PageArgs & { status: string; agent: string; text: string };

/** `text` is a pattern in lower case. A search by name reads the campaigns of the workspace, of which there are few. */
const campaignConditions = {
  status: ({ status }: CampaignListArgs) => sql`k.status = ${status}`,
  agent: ({ agent }: CampaignListArgs) => sql`k.agent_id = ${agent}`,
  text: ({ text }: CampaignListArgs, dialect: SqlDialect) =>
    sql`${dialect.lowerAscii(sql`k.name`)} like ${text} escape '\\'`,
} as const;
export type CampaignFilter = keyof typeof campaignConditions;

const whereOf = (given: readonly CampaignFilter[], args: CampaignListArgs, dialect: SqlDialect) =>
  sql.join(
    [
      sql`k.workspace_id = ${args.workspace}`,
      ...given.map((name) => campaignConditions[name](args, dialect)),
    ],
    sql` and `,
  );

const CAMPAIGN_ORDERS: Readonly<Record<CampaignSort, RawBuilder<unknown>>> = {
  '-created_at': sql`k.seq desc`,
  created_at: sql`k.seq`,
  name: sql`k.name, k.seq`,
  '-name': sql`k.name desc, k.seq desc`,
  updated_at: sql`k.updated_at, k.seq`,
  '-updated_at': sql`k.updated_at desc, k.seq desc`,
};

export interface CampaignListing {
  readonly rows: Statement<CampaignListArgs, ListedCampaign>;
  readonly count: Statement<CampaignListArgs, { count: number }>;
}

const campaignListing = (given: readonly CampaignFilter[], sort: CampaignSort): CampaignListing => ({
  rows: statement((_, args: CampaignListArgs, dialect) =>
    listed(
      sql`${whereOf(given, args, dialect)} order by ${CAMPAIGN_ORDERS[sort]} limit ${args.limit} offset ${args.offset}`,
    ),
  ),
  count: statement(
    (_, args: CampaignListArgs, dialect) => sql<{ count: number }>`
      select count(*) as count from campaigns as k where ${whereOf(given, args, dialect)} and k.deleted_at is null`,
  ),
});

export const campaignFilters = Object.keys(campaignConditions) as readonly CampaignFilter[];

const subsets = Array.from({ length: 2 ** campaignFilters.length }, (_, bits) =>
  campaignFilters.filter((_filter, at) => bits & (1 << at)),
);

const keyOf = (given: readonly CampaignFilter[], sort: CampaignSort): string => `${given.join()} ${sort}`;

const campaignListings = new Map(
  subsets.flatMap((given) =>
    campaignSorts.map((sort) => [keyOf(given, sort), campaignListing(given, sort)] as const),
  ),
);

/** The statements for a set of filters in an order. */
export const campaignListingOf = (
  given: readonly CampaignFilter[],
  sort: CampaignSort = '-created_at',
): CampaignListing => {
  const names = campaignFilters.filter((name) => given.includes(name));
  return campaignListings.get(keyOf(names, sort)) as CampaignListing;
};

export type EnrollmentListArgs = PageArgs & { id: string; status: string };

const inQueue = sql`(status = 'pending' or (status = 'in_progress' and leased = 1))`;

/** The order of the ids of contacts is that of their creation. The others are the order of the queue, so they are only for contacts
 *  that are in it. */
const ENROLLMENT_ORDERS: Readonly<
  Record<EnrollmentSort, { columns: readonly string[]; descending: boolean; isQueue?: true }>
> = {
  '-contact': { columns: ['contact_id'], descending: true },
  contact: { columns: ['contact_id'], descending: false },
  next_attempt: { columns: ['available_at', 'enrolled_at', 'contact_id'], descending: false, isQueue: true },
  '-next_attempt': {
    columns: ['available_at', 'enrolled_at', 'contact_id'],
    descending: true,
    isQueue: true,
  },
};

export const isQueueOrder = (sort: EnrollmentSort): boolean => ENROLLMENT_ORDERS[sort].isQueue === true;

const orderOf = (sort: EnrollmentSort, table: string) => {
  const { columns, descending } = ENROLLMENT_ORDERS[sort];
  return sql.join(
    columns.map((column) => sql`${sql.ref(table + column)} ${descending ? sql`desc` : sql`asc`}`),
  );
};

const enrollmentListing = (hasStatus: boolean, sort: EnrollmentSort) =>
  statement((_, { workspace, id, status, limit, offset }: EnrollmentListArgs) =>
    named(
      workspace,
      sql`select * from enrollments where workspace_id = ${workspace} and campaign_id = ${id}
        ${hasStatus ? sql`and status = ${status}` : sql``} ${isQueueOrder(sort) ? sql`and ${inQueue}` : sql``}
        order by ${orderOf(sort, '')} limit ${limit} offset ${offset}`,
      orderOf(sort, 'e.'),
    ),
  );

type EnrollmentListings = Readonly<Record<EnrollmentSort, Statement<EnrollmentListArgs, ListedEnrollment>>>;

const enrollmentListings = (hasStatus: boolean): EnrollmentListings => ({
  '-contact': enrollmentListing(hasStatus, '-contact'),
  contact: enrollmentListing(hasStatus, 'contact'),
  next_attempt: enrollmentListing(hasStatus, 'next_attempt'),
  '-next_attempt': enrollmentListing(hasStatus, '-next_attempt'),
});

export const listsOfCampaign = { all: enrollmentListings(false), status: enrollmentListings(true) };

/** How many contacts are in the queue. */
export const countQueue = statement(
  (_, { workspace, id }: { workspace: number; id: string }) => sql<{ count: number }>`
    select count(*) as count from enrollments where workspace_id = ${workspace} and campaign_id = ${id} and ${inQueue}`,
);

export type EnrolledNeedle = Needle & EnrollmentListArgs & { words: string };

/** Finds the contacts first, and then which of them are enrolled. `words` is a JSON array of patterns that a contact must match. */
const enrolledSearch = (hasStatus: boolean, sort: EnrollmentSort) =>
  search<EnrolledNeedle, ListedEnrollment & { total: number }>(
    ({ from, seq }, { workspace, id, status, words, limit, offset }, dialect) => sql`
      select e.*, k.name as campaign_name, k.status as campaign_status, k.agent_id,
        p.phone_number, p.display_name, p.first_name, p.last_name, count(*) over () as total
      from (select ${seq} as seq from ${from}) as found
      join contacts as p on p.workspace_id = ${workspace} and p.seq = found.seq
      join enrollments as e on e.workspace_id = ${workspace} and e.campaign_id = ${id} and e.contact_id = p.id
        ${hasStatus ? sql`and e.status = ${status}` : sql``}
      join campaigns as k on k.workspace_id = ${workspace} and k.id = ${id}
      where ${isQueueOrder(sort) ? sql`(e.status = 'pending' or (e.status = 'in_progress' and e.leased = 1)) and` : sql``}
        ${matchesWords(words, 'p', dialect)}
      order by ${orderOf(sort, 'e.')} limit ${limit} offset ${offset}`,
  );

const enrolledSearches = (hasStatus: boolean) => ({
  '-contact': enrolledSearch(hasStatus, '-contact'),
  contact: enrolledSearch(hasStatus, 'contact'),
  next_attempt: enrolledSearch(hasStatus, 'next_attempt'),
  '-next_attempt': enrolledSearch(hasStatus, '-next_attempt'),
});

export const searchesOfCampaign = { all: enrolledSearches(false), status: enrolledSearches(true) };
