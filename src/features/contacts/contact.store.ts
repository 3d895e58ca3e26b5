import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';
import { fold } from '../../lib/text.ts';
import type { Contact, Source } from './contact.schema.ts';
import { dialled } from './phone.ts';

/** A row of `contacts`. The column `wire` holds the contact's JSON. `rowOf` derives it, `search_text` and `search_phone`
 *  from the other columns on every write, so that a read sends stored text as it is. */
export type ContactRow = {
  workspace_id: number;
  id: string;
  phone_number: string;
  /** The number in E.164: unique in the workspace; null for a legacy number from which none could be derived. */
  phone_identity: string | null;
  /** 1 for a legacy contact whose displayed number and identity are not the same. */
  phone_conflict: number;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
  email: string | null;
  company: string | null;
  notes: string | null;
  /** A JSON array. */
  tags: string;
  source: Source;
  first_contact_at: string;
  last_contact_at: string;
  created_at: string;
  updated_at: string;
  search_text: string;
  search_phone: string;
  wire: string;
};

export type StoredContact = ContactRow & { seq: number; crm_ids: string };
export type ContactTables = {
  contacts: StoredContact;
  contact_tags: { workspace_id: number; tag: string; seq: number };
};

const statement = statementsOver<ContactTables>();

/** The contact that a list shows; its first fields are those that a create answers. */
export const contactOf = (row: Omit<ContactRow, 'search_text' | 'search_phone' | 'wire'>): Contact => ({
  id: row.id,
  phone_number: row.phone_number,
  first_name: row.first_name,
  last_name: row.last_name,
  display_name: row.display_name,
  email: row.email,
  company: row.company,
  notes: row.notes,
  tags: JSON.parse(row.tags),
  source: row.source,
  first_contact_at: row.first_contact_at,
  last_contact_at: row.last_contact_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Stands between the texts of a search entry, so that no needle matches across two of them. */
const SEPARATOR = '\u001f';

export const searchable = (text: string): string => fold(text).replaceAll(SEPARATOR, ' ');

/** Completes a row with what is made from its columns. "First last" holds first, last and both together. */
export const rowOf = (facts: Omit<ContactRow, 'search_text' | 'search_phone' | 'wire'>): ContactRow => {
  const names = [facts.first_name, facts.last_name].filter((name) => name !== null).join(' ');
  return {
    ...facts,
    search_text: [facts.phone_number, names, facts.display_name ?? '', facts.email ?? '']
      .map(searchable)
      .join(SEPARATOR),
    search_phone: dialled(facts.phone_number),
    wire: JSON.stringify(contactOf(facts)),
  };
};

type Key = { workspace: number; id: string };

export const insertContact = statement((query, row: ContactRow, can) =>
  query
    .insertInto('contacts')
    .values({ ...columns(row), crm_ids: sql.lit('{}'), seq: can.nextSeq('contacts', row.workspace_id) })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'phone_identity']).doNothing())
    .returning('seq'),
);

/** The same for many contacts, whose places are known before. */
export const insertContactAt = statement((query, row: ContactRow & { seq: number }) =>
  query
    .insertInto('contacts')
    .values({ ...columns(row), crm_ids: sql.lit('{}'), seq: row.seq })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'phone_identity']).doNothing()),
);

/** The next places in the list, one for each item of a JSON array. */
export const allocateSeqs = statement(
  (_, { workspace, items }: { workspace: number; items: string }, can) =>
    sql<{
      seq: number;
    }>`select ${can.nextSeqOfEach('contacts', workspace)} as seq from ${can.eachObject(items)}`,
);

export const updateContactRow = statement((query, row: ContactRow) => {
  const { workspace_id, id, ...changed } = columns(row);
  return query
    .updateTable('contacts')
    .set(changed)
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id);
});

/** All that is stored. Named one by one: a table that gains a column must not change what a prepared statement gives. */
const COLUMNS = [
  'workspace_id',
  'id',
  'seq',
  'phone_number',
  'phone_identity',
  'phone_conflict',
  'first_name',
  'last_name',
  'display_name',
  'email',
  'company',
  'notes',
  'tags',
  'source',
  'first_contact_at',
  'last_contact_at',
  'created_at',
  'updated_at',
  'crm_ids',
  'search_text',
  'search_phone',
  'wire',
] as const;

/** Names each column once, so that the placeholders of a row can stand for its values. */
const columns = (row: ContactRow): ContactRow => ({
  workspace_id: row.workspace_id,
  id: row.id,
  phone_number: row.phone_number,
  phone_identity: row.phone_identity,
  phone_conflict: row.phone_conflict,
  first_name: row.first_name,
  last_name: row.last_name,
  display_name: row.display_name,
  email: row.email,
  company: row.company,
  notes: row.notes,
  tags: row.tags,
  source: row.source,
  first_contact_at: row.first_contact_at,
  last_contact_at: row.last_contact_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  search_text: row.search_text,
  search_phone: row.search_phone,
  wire: row.wire,
});

export const deleteContactRow = statement((query, { workspace, id }: Key) =>
  query.deleteFrom('contacts').where('workspace_id', '=', workspace).where('id', '=', id),
);

/** The row for a change: locked until the transaction ends. */
export const selectContactForUpdate = statement((query, { workspace, id }: Key, can) =>
  query
    .selectFrom('contacts')
    .select(COLUMNS)
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .modifyEnd(can.lockRow()),
);

export const findContact = statement((query, { workspace, id }: Key) =>
  query
    .selectFrom('contacts')
    .select(['wire', 'crm_ids', 'updated_at', 'first_contact_at', 'last_contact_at'])
    .where('workspace_id', '=', workspace)
    .where('id', '=', id),
);

export const findByIdentity = statement(
  (query, { workspace, identity }: { workspace: number; identity: string }) =>
    query
      .selectFrom('contacts')
      .select('id')
      .where('workspace_id', '=', workspace)
      .where('phone_identity', '=', identity),
);

/** The row that has a number, for a change. */
export const selectByIdentityForUpdate = statement(
  (query, { workspace, identity }: { workspace: number; identity: string }, can) =>
    query
      .selectFrom('contacts')
      .select(COLUMNS)
      .where('workspace_id', '=', workspace)
      .where('phone_identity', '=', identity)
      .modifyEnd(can.lockRow()),
);

/** As the index says it: the embedded engine takes it only for the same words. */
const WITHOUT_IDENTITY = sql`and coalesce(phone_identity, '') = ''`;

/** Rows for a change, by values of a column that are a JSON array; in one order, so that two who take the same rows do
 *  not wait for each other. That order is no index's, or SQLite would walk through all contacts in it. */
const selectForUpdateBy = (
  column: 'id' | 'phone_identity',
  lock: 'lockRow' | 'lockUnlockedRows' = 'lockRow',
) =>
  statement(
    (_, { workspace, keys }: { workspace: number; keys: string }, can) => sql<StoredContact>`
      select ${sql.join(COLUMNS.map((each) => sql.ref(each)))} from contacts where workspace_id = ${workspace}
      and ${sql.ref(column)} in (select value from ${can.eachText(keys)}) order by id || '' ${can[lock]()}`,
  );

/** The ids of contacts by values of a column, without locking them. */
const idsBy = (column: 'phone_identity' | 'phone_number') =>
  statement(
    (_, { workspace, keys }: { workspace: number; keys: string }, can) => sql<{ id: string }>`
      select id from contacts where workspace_id = ${workspace} ${
        column === 'phone_number' ? WITHOUT_IDENTITY : sql``
      } and ${sql.ref(column)} in (select value from ${can.eachText(keys)})`,
  );

export const idsOfIdentities = idsBy('phone_identity');
/** Legacy contacts from whose number no identity could be derived. */
export const idsOfShown = idsBy('phone_number');

export const selectByIdsForUpdate = selectForUpdateBy('id');
export const selectByIdentitiesForUpdate = selectForUpdateBy('phone_identity');
/** The same without those that another transaction has locked. */
export const selectUnlockedByIdentities = selectForUpdateBy('phone_identity', 'lockUnlockedRows');

export const setCrmIds = statement((query, { workspace, id, crm_ids }: Key & { crm_ids: string }) =>
  query.updateTable('contacts').set({ crm_ids }).where('workspace_id', '=', workspace).where('id', '=', id),
);

/** Tags are a JSON array of objects with `tag` and the `seq` of the contact. */
export const addTags = statement(
  (_, { workspace, tags }: { workspace: number; tags: string }, can) =>
    sql<never>`insert into contact_tags (workspace_id, tag, seq)
      select ${workspace}, value ->> 'tag', cast(value ->> 'seq' as bigint) from ${can.eachObject(tags)} where true`,
  { readsDerived: true },
);

export const deleteTags = statement(
  (_, { workspace, tags }: { workspace: number; tags: string }, can) =>
    sql<never>`delete from contact_tags where workspace_id = ${workspace}
      and (tag, seq) in (select value ->> 'tag', cast(value ->> 'seq' as bigint) from ${can.eachObject(tags)})`,
  { readsDerived: true },
);
