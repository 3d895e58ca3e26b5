import { type RawBuilder, sql } from 'kysely';
import { bothWays, type Order, type Scope } from '../../records/list.declaration.ts';
import { addValues } from '../contacts/filter.attributes.ts';
import { addContactFilter } from '../contacts/filter.conditions.ts';
import { contactList } from '../contacts/list.store.ts';
import { callStatuses } from './call.schema.ts';

const called = ({ workspace, table }: Scope, condition = sql``) => sql`exists (select 1 from calls
  where calls.workspace_id = ${workspace} and calls.contact_id = ${sql.ref(`${table}.id`)} ${condition})`;

/** The same for calls that do not refer to the contact yet: the latest do as soon as others are merged into it. */
const calledAsMerged = ({ workspace, table }: Scope, condition: RawBuilder<unknown>) => sql`exists (
  select 1 from merged_contacts as m join calls on calls.workspace_id = ${workspace} and calls.contact_id = m.contact_id ${condition}
  where m.workspace_id = ${workspace} and m.survivor_id = ${sql.ref(`${table}.id`)} and m.moving = 1)`;

/** The contacts that had a call or message, in the order of the last one. */
const byActivity: Order = {
  ranges: [
    {
      within: ['last_activity_since', 'last_activity_before'],
      from: () => sql`calls as latest`,
      on: ({ workspace }) => sql`latest.workspace_id = ${workspace} and latest.contact_id is not null
        and not exists (select 1 from calls as later where later.workspace_id = ${workspace}
          and later.contact_id = latest.contact_id and (later.started_at, later.id) > (latest.started_at, latest.id))
        and contacts.id = latest.contact_id`,
    },
  ],
  keys: [() => sql`latest.started_at`, () => sql`latest.seq`],
};

/** Adds the filters and orders by calls and messages to the list of contacts. */
export const addActivityFilters = (): void => {
  const scope = 'calls:read';
  addContactFilter('called', { where: (_, contact) => called(contact), scope });
  addContactFilter('call_status', {
    where: (status, contact) => {
      const condition = sql`and calls.status = ${status}`;
      return sql`(${called(contact, condition)} or ${calledAsMerged(contact, condition)})`;
    },
    scope,
  });
  addValues('call_status', callStatuses);
  addContactFilter('last_activity_since', {
    where: (time, contact) =>
      contact.isOwn
        ? sql`latest.started_at >= ${time}`
        : called(contact, sql`and calls.started_at >= ${time}`),
    scope,
  });
  addContactFilter('last_activity_before', {
    where: (time, contact) =>
      contact.isOwn
        ? sql`latest.started_at < ${time}`
        : sql`(${called(contact)} and not ${called(contact, sql`and calls.started_at >= ${time}`)})`,
    scope,
  });
  for (const [name, order] of Object.entries(bothWays('last_activity_at', byActivity)))
    contactList.addOrder(name, order);
};
