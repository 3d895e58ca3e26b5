import { type RawBuilder, sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import { formerActions } from '../../records/actions.ts';
import type { EntryRow } from '../../records/audit.store.ts';

const statement = statementsOver<object>({ readsDerived: true });

/** An empty text is no filter; `since` and `before` are used between two times only. */
export type Filter = {
  workspace: number;
  actor: string;
  subject: string;
  action: string;
  since: string;
  before: string;
};

/** After every time, which begins with a digit. */
export const NO_END = 'z';

/** The current name of the action of an entry: earlier versions stored others. */
const action = sql`case action ${sql.join(
  Object.entries(formerActions).map(([former, now]) => sql`when ${sql.lit(former)} then ${sql.lit(now)}`),
  sql` `,
)} else action end`;

/** The order and the times have an index: other filters are conditions on the entries of a range. */
const conditions = ({ workspace, actor, subject, action: prefix }: Filter) => sql`workspace_id = ${workspace}
  and (${actor} = '' or actor = ${actor})
  and (${subject} = '' or subject = ${subject} or parent = ${subject})
  and substr(${action}, 1, length(cast(${prefix} as text))) = ${prefix}`;

const between = (filter: Filter) =>
  sql`${conditions(filter)} and at >= ${filter.since} and at < ${filter.before}`;

const statementsOf = (where: (filter: Filter) => RawBuilder<unknown>, order: RawBuilder<unknown>) => ({
  list: statement(
    (_, args: Filter & { limit: number; offset: number }) => sql<
      Omit<EntryRow, 'workspace_id'>
    >`select at, actor, ${action} as action, subject, parent, fields, counts, request_id, via from audit_entries
      where ${where(args)} order by ${order} limit ${args.limit} offset ${args.offset}`,
  ),
  count: statement(
    (_, filter: Filter) =>
      sql<{ count: number }>`select count(*) as count from audit_entries where ${where(filter)}`,
  ),
});

/** All entries, and those between two times. */
export const entryStatements = {
  all: statementsOf(conditions, sql`seq desc`),
  between: statementsOf(between, sql`at desc, seq desc`),
};

type Ids = { workspace: number; ids: string };

/** The name of a record of each table, and whether it is deleted. */
const NAMES: Readonly<Record<string, { name?: RawBuilder<unknown>; deleted?: RawBuilder<unknown> }>> = {
  keys: {},
  users: { name: sql`email` },
  channels: {},
  integrations: {},
  agents: { deleted: sql`deleted_at is not null` },
  calls: { name: sql`null` },
  campaigns: { deleted: sql`deleted_at is not null` },
  imports: { deleted: sql`state = 'deleting'` },
  webhook_endpoints: { name: sql`coalesce(description, url)` },
  // The name of a private view is its creator's.
  saved_views: { name: sql`case when shared = 1 then name end` },
  bulk_jobs: { name: sql`null` },
};

/** The names of all records except contacts and versions. */
export const namesOf = statement(
  (_, { workspace, ids }: Ids, dialect) =>
    sql<{ id: string; name: string | null; deleted: number }>`${sql.join(
      Object.entries(NAMES).map(
        ([table, { name = sql`name`, deleted = sql`false` }]) =>
          sql`select id, ${name} as name, case when ${deleted} then 1 else 0 end as deleted
          from ${sql.table(table)} where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
      ),
      sql` union all `,
    )}`,
);

export const contactsOf = statement(
  (_, { workspace, ids }: Ids, dialect) => sql<{
    id: string;
    phone_number: string;
    display_name: string | null;
    first_name: string | null;
    last_name: string | null;
  }>`select id, phone_number, display_name, first_name, last_name from contacts
    where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);

export const versionsOf = statement(
  (_, { workspace, ids }: Ids, dialect) => sql<{ id: string; number: number }>`
    select id, number from agent_versions
    where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(ids)})`,
);
