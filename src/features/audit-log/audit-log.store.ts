import { type RawBuilder, sql } from 'kysely';
import { type Keys, rowsOf } from '../../db/rows.ts';
import { derivedStatement as statement } from '../../db/statement.ts';
import { formerActions } from '../../records/actions.ts';
import { ENTRY_COLUMNS, type EntryRow } from '../../records/audit.store.ts';
import { before, bothWays, equals, since } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import type { ContactRow } from '../contacts/contact.store.ts';

const within = ['since', 'before'] as const;

/** The current name of the action of an entry: earlier versions stored others. */
const renamed = Object.entries(formerActions).map(([former, now]) => `when '${former}' then '${now}'`);
const ACTION = `case action ${renamed.join(' ')} else action end`;

/** The order and the times have an index: other filters are conditions on the entries of a range. */
export const entryList = new List({
  table: 'audit_entries',
  filters: {
    actor: equals('actor'),
    subject: (value) => sql`(subject = ${value} or parent = ${value})`,
    action: (value) => sql`substr(${sql.raw(ACTION)}, 1, length(cast(${value} as text))) = ${value}`,
    since: since('at'),
    before: before('at'),
  },
  orders: {
    changed: { ranges: [{}] },
    ...bothWays('at', { ranges: [{ within }], keys: ['at', 'seq'] }),
  },
  readsDerived: true,
});

export const entries = entryList.view<EntryRow>({
  columns: ENTRY_COLUMNS.map((name) => (name === 'action' ? `${ACTION} as action` : name)),
});

/** The name of a record of each table, and whether it is deleted. */
const NAMES: Readonly<Record<string, { name?: RawBuilder<unknown>; deleted?: RawBuilder<unknown> }>> = {
  keys: {},
  users: { name: sql`email` },
  channels: {},
  integrations: {},
  agents: { deleted: sql`deleted_at is not null` },
  agent_versions: { name: sql`'v' || number` },
  calls: { name: sql`null` },
  campaigns: { deleted: sql`deleted_at is not null` },
  imports: { deleted: sql`state = 'deleting'` },
  webhook_endpoints: { name: sql`coalesce(description, url)` },
  // The names of private segments and views are their creators'.
  segments: { name: sql`case when shared = 1 then name end` },
  saved_views: { name: sql`case when shared = 1 then name end` },
  bulk_jobs: { name: sql`null` },
};

/** The names of all records except contacts. */
export const namesOf = statement(
  ({ workspace, keys }: Keys, dialect) =>
    sql<{ id: string; name: string | null; deleted: number }>`${sql.join(
      Object.entries(NAMES).map(
        ([table, { name = sql`name`, deleted = sql`false` }]) =>
          sql`select id, ${name} as name, case when ${deleted} then 1 else 0 end as deleted
          from ${sql.table(table)} where workspace_id = ${workspace} and id in (select value from ${dialect.eachText(keys)})`,
      ),
      sql` union all `,
    )}`,
);

export const contactsOf = rowsOf<ContactRow>({ table: 'contacts', readsDerived: true }).findMany([
  'id',
  'phone_number',
  'display_name',
  'first_name',
  'last_name',
]);
