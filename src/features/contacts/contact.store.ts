import { type RawBuilder, sql } from 'kysely';
import { columnsOf, type Keys, rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { fold } from '../../lib/text.ts';
import { type Contact, contactFields, laterTexts, type ProfileText, type Source } from './contact.schema.ts';
import { dialled } from './phone.ts';

/** A row of `contacts`. The column `wire` holds the contact's JSON. `rowOf` derives it, `search_text` and `search_phone`
 *  from the other columns on every write, so that a read sends stored text as it is. */
export type ContactRow = Record<ProfileText, string | null> & {
  workspace_id: number;
  id: string;
  phone_number: string;
  /** The number in E.164: unique in the workspace; null for a legacy number from which none could be derived. */
  phone_identity: string | null;
  /** 1 for a legacy contact whose displayed number and identity differ. */
  phone_conflict: number;
  /** A JSON array. */
  tags: string;
  /** A JSON object: the contact's id by CRM. */
  crm_ids: string;
  /** A JSON object: the values of fields, sorted by key. */
  fields: string;
  source: Source;
  first_contact_at: string;
  last_contact_at: string;
  created_at: string;
  updated_at: string;
  search_text: string;
  search_phone: string;
  wire: string;
};

/** A new row. `created_by` is the actor; it is null for contacts of earlier versions. */
export type NewContactRow = ContactRow & { created_by: string | null };

/** The columns that the others are derived from. */
export type RowFacts = Omit<ContactRow, 'search_text' | 'search_phone' | 'wire'>;

export type StoredContact = ContactRow & { seq: number };

/** The one mapper between a row and the contact in responses. */
export const contactOf = (row: Pick<RowFacts, (typeof contactFields)[number]>): Contact => {
  const contact: Record<string, unknown> = {};
  for (const name of contactFields) contact[name] = name === 'tags' ? JSON.parse(row.tags) : row[name];
  return contact as unknown as Contact;
};

/** Separates the texts of a search entry, so that no search text matches across two of them. */
const SEPARATOR = '\u001f';

export const searchable = (text: string): string => fold(text).replaceAll(SEPARATOR, ' ');

/** Adds the derived columns to a row. */
export const rowOf = (facts: RowFacts): ContactRow => {
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

const ROW_COLUMNS = [
  'workspace_id',
  ...contactFields,
  ...laterTexts,
  'phone_identity',
  'phone_conflict',
  'crm_ids',
  'fields',
  'search_text',
  'search_phone',
  'wire',
] as const;

const COLUMNS = [...ROW_COLUMNS, 'seq'] as const;

const rows = rowsOf<StoredContact>({ table: 'contacts' });

/** Rows whose number is taken are skipped. */
export const insertContacts = rowsOf<NewContactRow>({ table: 'contacts' }).insertAll(
  [...ROW_COLUMNS, 'created_by'],
  (dialect, workspace) => dialect.nextSeqOfEach('contacts', workspace),
  { unique: ['workspace_id', 'phone_identity'], integers: ['phone_conflict'] },
);

export const updateContactRow = rows.set(
  ROW_COLUMNS.filter((column) => column !== 'workspace_id' && column !== 'id'),
);
export const deleteContactRow = rows.remove;
export const selectContactForUpdate = rows.lock(COLUMNS);

/** What a response with an ETag needs. */
const SHOWN_COLUMNS = ['wire', 'crm_ids', 'updated_at', 'first_contact_at', 'last_contact_at'] as const;

export const findContact = rows.find(SHOWN_COLUMNS);

const by = { identity: 'phone_identity' } as const;
export const findContactByIdentity = rows.find(SHOWN_COLUMNS, { by });
export const findByIdentity = rows.find(['id'], { by });

/** What instructions can say about a contact. */
export const VALUES = [...contactFields, 'crm_ids', 'phone_identity', 'fields'] as const;
export type ContactValues = Pick<ContactRow, (typeof VALUES)[number]>;

export const selectByIdentityForUpdate = rows.lock(COLUMNS, { by });

export const findContactsById = rows.findMany(['id', ...SHOWN_COLUMNS]);

/** Exactly the condition of the partial index: SQLite uses the index only for the same expression. */
const WITHOUT_IDENTITY = sql`and coalesce(phone_identity, '') = ''`;

/** Locks rows by the values of a column, which are a JSON array. One order prevents deadlocks between transactions that lock
 *  the same rows. The order is that of no index, or SQLite would scan all contacts in it. */
const selectForUpdateBy = (column: 'id' | 'phone_identity', isLocked = true) =>
  statement(
    ({ workspace, keys }: Keys, dialect) => sql<StoredContact>`
      select ${columnsOf(COLUMNS)} from contacts where workspace_id = ${workspace}
      and ${sql.ref(column)} in (select value from ${dialect.eachText(keys)}) order by id || '' ${isLocked ? dialect.lockRow() : sql``}`,
  );

/** The ids and identities of contacts, without locking them. */
const ID_AND_IDENTITY = ['id', 'phone_identity'] as const;
export const findIdentities = rows.findMany(ID_AND_IDENTITY);
export const idsOfIdentities = rows.findMany(ID_AND_IDENTITY, 'phone_identity');
/** Legacy contacts from whose number no identity could be derived. */
export const idsOfDisplayed = rows.findMany(ID_AND_IDENTITY, 'phone_number', WITHOUT_IDENTITY);

export const findStoredByIds = selectForUpdateBy('id', false);
export const selectByIdsForUpdate = selectForUpdateBy('id');
export const selectByIdentitiesForUpdate = selectForUpdateBy('phone_identity');
/** Locks contacts so that they are not deleted before the transaction ends. Several transactions may hold this lock together. */
export const shareContacts = statement(
  ({ workspace, keys }: Keys, dialect) => sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspace}
    and id in (select value from ${dialect.eachText(keys)}) order by id || '' ${dialect.lockRowShared()}`,
);

/** Rows of a derived table to add or delete, a JSON array of objects. */
type DerivedRows = { workspace: number; rows: string };

/** The statements of a table of texts of contacts. */
const derivedFrom = (
  table: string,
  texts: readonly string[],
  add: (workspace: number) => RawBuilder<unknown>,
) => {
  const names = columnsOf([...texts, 'seq']);
  const values = [
    ...texts.map((text) => sql`value ->> ${sql.lit(text)}`),
    sql`cast(value ->> 'seq' as bigint)`,
  ];
  return {
    add: statement(
      ({ workspace, rows: added }: DerivedRows, dialect) => sql<never>`
        insert into ${sql.table(table)} (workspace_id, ${names})
        select ${workspace}, ${sql.join(values)} from ${dialect.eachObject(added)} where ${add(workspace)}`,
      { readsDerived: true },
    ),
    /** With the subquery in the condition, Citus would delete on every shard as soon as it reuses the plan. */
    remove: statement(
      ({ workspace, rows: removed }: DerivedRows, dialect) => sql<never>`
        with gone (${names}) as materialized (select ${sql.join(values)} from ${dialect.eachObject(removed)})
        delete from ${sql.table(table)} where workspace_id = ${workspace} and (${names}) in (select ${names} from gone)`,
      { readsDerived: true },
    ),
  };
};

export const tagRows = derivedFrom('contact_tags', ['tag'], () => sql`true`);

/** Only values of filterable fields are stored. */
export const fieldValueRows = derivedFrom(
  'contact_field_values',
  ['field', 'value'],
  (workspace) => sql`value ->> 'field' in (
      select key from contact_fields where workspace_id = ${workspace} and filterable = 1
    ) on conflict (workspace_id, field, value, seq) do nothing`,
);
