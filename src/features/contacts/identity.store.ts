import { sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf, type Keys, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { typeId } from '../../lib/ids.ts';
import { List } from '../../records/list.ts';
import type { IdentityKind } from './identity.schema.ts';

export const identityId = typeId('identity');

/** The id of the original number of a contact, which has no row until it changes. */
export const originalId = (contact: string): string => contact.replace('contact_', 'identity_');
export const contactOfOriginal = (id: string): string => id.replace('identity_', 'contact_');

const columns = {
  workspace_id: number,
  id: text,
  /** Null for a person without a contact. */
  contact_id: textOrNull,
  kind: typed<IdentityKind>(),
  value: text,
  verified_by: textOrNull,
  valid_from: text,
  /** Null while it is current. */
  valid_until: textOrNull,
};
export type IdentityRow = typeof columns;
const COLUMNS = namesOf(columns);

const rows = rowsOf<IdentityRow>({ table: 'identities' });

const CURRENT = { by: { kind: 'kind', value: 'value' }, where: sql`valid_until is null` } as const;

export const findIdentityRow = rows.find(COLUMNS);
export const deleteIdentityRow = rows.remove;
export const setValidUntil = rows.set(['valid_until']);
export const findCurrent = rows.find(COLUMNS, CURRENT);
export const lockCurrent = rows.lock(COLUMNS, CURRENT);
/** `keys` is a JSON array of the ids of contacts. */
export const identitiesOfContacts = rows.findMany(COLUMNS, 'contact_id');

const values = (row: IdentityRow) => sql`insert into identities (${columnsOf(COLUMNS)})
  values (${sql.join(COLUMNS.map((name) => sql`${row[name]}`))})`;

/** Adds an identity that no one has. */
export const insertIdentity = statement(
  (row: IdentityRow) => sql<never>`${values(row)} on conflict do nothing`,
);

/** Adds a current identity, or gives one without a contact to a contact. Changes no row if another contact has it. */
export const giveIdentity = statement(
  (row: IdentityRow) => sql<never>`${values(row)}
    on conflict (workspace_id, kind, value) where valid_until is null do update set contact_id = excluded.contact_id,
      verified_by = coalesce(excluded.verified_by, identities.verified_by),
      valid_from = case when excluded.valid_from < identities.valid_from then excluded.valid_from else identities.valid_from end
    where identities.contact_id is null`,
);

export const endIdentity = statement(
  (row: IdentityRow) => sql<never>`
    update identities set valid_until = ${row.valid_until} where workspace_id = ${row.workspace_id} and kind = ${row.kind}
      and value = ${row.value} and valid_until is null and contact_id = ${row.contact_id}`,
);

type Holder = { value: string; id: string };

const secondaryHolders = ({ workspace, keys }: Keys, each: (keys: string) => unknown) => sql<Holder>`
  select value, contact_id as id from identities where workspace_id = ${workspace} and kind = 'phone' and valid_until is null
  and contact_id is not null and value in (select value from ${each(keys)})`;

/** The contacts that have numbers now, as their primary or a secondary one. `keys` is a JSON array of numbers. */
export const holdersOf = statement(
  ({ workspace, keys }: Keys, dialect) => sql<Holder>`
    select phone_identity as value, id from contacts where workspace_id = ${workspace}
    and phone_identity in (select value from ${dialect.eachText(keys)})
    union all ${secondaryHolders({ workspace, keys }, dialect.eachText)}`,
);
/** Those that have a row for it. */
export const rowHoldersOf = statement((args: Keys, dialect) => secondaryHolders(args, dialect.eachText));

/** The contact that had a number at a time in the past. */
export const findFormerHolder = statement(
  (args: { workspace: number; value: string; at: string }) => sql<{ contact_id: string }>`
    select contact_id from identities where workspace_id = ${args.workspace} and kind = 'phone' and value = ${args.value}
    and valid_until > ${args.at} and valid_until is not null and valid_from <= ${args.at} and contact_id is not null
    order by valid_until limit 1`,
);

/** The former numbers of contacts that no contact has now. */
export const freeFormerNumbers = statement(
  ({ workspace, keys }: Keys, dialect) => sql<{ contact_id: string; value: string }>`
    select f.contact_id, f.value from identities as f where f.workspace_id = ${workspace} and f.kind = 'phone'
    and f.valid_until is not null and f.contact_id in (select value from ${dialect.eachText(keys)})
    and not exists (select 1 from contacts as c where c.workspace_id = ${workspace} and c.phone_identity = f.value)
    and not exists (select 1 from identities as o where o.workspace_id = ${workspace} and o.kind = 'phone' and o.value = f.value
      and o.valid_until is null)`,
);

/** With the subquery in the condition, Citus would delete on every shard as soon as it reuses the plan. */
const deletedWith = (table: string, column: string, gone: (args: Keys, dialect: SqlDialect) => unknown) =>
  statement(
    (args: Keys, dialect) => sql<never>`
      with gone (value) as materialized (${gone(args, dialect)})
      delete from ${sql.table(table)} where workspace_id = ${args.workspace}
      and ${sql.ref(column)} in (select value from gone)`,
  );

const each = ({ keys }: Keys, dialect: SqlDialect) => sql`select value from ${dialect.eachText(keys)}`;

/** What is deleted with contacts, in this order. */
export const deletionsOfContacts = [
  deletedWith('identity_conflicts', 'contact_id', each),
  deletedWith(
    'identity_conflicts',
    'identity_id',
    (args, dialect) => sql`select id from identities where workspace_id = ${args.workspace}
      and contact_id in (${each(args, dialect)})`,
  ),
  deletedWith('identities', 'contact_id', each),
];

export type IdentityConflict = { workspace: number; identity: string; contact: string; at: string };
/** An identity, and two contacts of which reports attested it. */
type Contradiction = { identity: string; holder: string; contact: string };
/** Those of some contacts, a JSON array, in which they are the holder or the other contact. */
export const contradictionsOf = statement(({ workspace, keys }: Keys, dialect) => {
  const which = (column: string) => sql<Contradiction>`
    select c.identity_id as identity, i.contact_id as holder, c.contact_id as contact from identity_conflicts as c
    join identities as i on i.workspace_id = ${workspace} and i.id = c.identity_id
    where c.workspace_id = ${workspace} and i.valid_until is null and i.contact_id is not null and i.contact_id <> c.contact_id
    and ${dialect.isAmongFew(sql.ref(column), sql`select value from ${dialect.eachText(keys)}`)}`;
  return sql<Contradiction>`${which('i.contact_id')} union ${which('c.contact_id')}`;
});
export const insertConflict = statement(
  ({ workspace, identity, contact, at }: IdentityConflict) => sql<never>`
    insert into identity_conflicts (workspace_id, identity_id, contact_id, at)
    values (${workspace}, ${identity}, ${contact}, ${at}) on conflict do nothing`,
);

/** Those of people without a contact, newest first. */
export const looseIdentities = new List({
  table: 'identities',
  filters: {},
  orders: { newest: { ranges: [{ where: () => sql`identities.contact_id is null` }], keys: ['id'] } },
});
export const identityRows = looseIdentities.view<IdentityRow>({ columns: COLUMNS });
