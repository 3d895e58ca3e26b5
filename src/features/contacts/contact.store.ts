import { type RawBuilder, sql } from 'kysely';
import { columnsOf, type Keys, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { fold } from '../../lib/text.ts';
import { type Contact, contactFields, mapTexts, type Source } from './contact.schema.ts';
import { secondaryOf } from './identity.column.ts';
import { MAX_IDENTITIES } from './identity.schema.ts';
import { dialled } from './phone.ts';

/** A row of `contacts`. The column `wire` holds the contact's JSON. `rowOf` derives it, `search_text` and `search_phone`
 *  from the other columns on every write, so that a read sends stored text as it is. */
const columns = {
  workspace_id: number,
  id: text,
  phone_number: text,
  ...mapTexts(() => textOrNull),
  /** A JSON array. */
  tags: text,
  source: typed<Source>(),
  first_contact_at: text,
  last_contact_at: text,
  created_at: text,
  updated_at: text,
  /** The number in E.164: unique in the workspace; null for a legacy number from which none could be derived. */
  phone_identity: textOrNull,
  /** 1 for a legacy contact whose displayed number and identity differ. */
  phone_conflict: number,
  /** The current identities besides the number (see identity.column.ts): a JSON array; null if there are none. */
  identities: textOrNull,
  /** A JSON object: the contact's id by CRM. */
  crm_ids: text,
  /** A JSON object: the values of fields, sorted by key. */
  fields: text,
  search_text: text,
  search_phone: text,
  wire: text,
};
export type ContactRow = typeof columns;
const ROW_COLUMNS = namesOf(columns);

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
  // After merges a contact can have more. With more than 60 numbers, FTS5 of SQLite 3.53 leaves parts of deleted entries in its index.
  const others = secondaryOf(facts).slice(0, MAX_IDENTITIES);
  const phones = others.filter(({ kind }) => kind === 'phone');
  return {
    ...facts,
    search_text: [
      ...[facts.phone_number, names, facts.display_name ?? '', facts.email ?? ''],
      ...others.map(({ value }) => value),
    ]
      .map(searchable)
      .join(SEPARATOR),
    search_phone: [facts.phone_number, ...phones.map(({ value }) => value)].map(dialled).join(SEPARATOR),
    wire: JSON.stringify(contactOf(facts)),
  };
};

const COLUMNS = [...ROW_COLUMNS, 'seq'] as const;

const rows = rowsOf<StoredContact>({ table: 'contacts' });

/** Rows whose number is taken are skipped. */
export const insertContacts = rowsOf<NewContactRow>({ table: 'contacts' }).insertAll(
  [...ROW_COLUMNS, 'created_by'],
  (dialect, workspace) => dialect.nextSeqOfEach('contacts', workspace, 'merged_contacts'),
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

/** What instructions can say about a contact. */
export const VALUES = [...contactFields, 'crm_ids', 'phone_identity', 'fields'] as const;
export type ContactValues = Pick<ContactRow, (typeof VALUES)[number]>;

export const selectByIdentityForUpdate = rows.lock(COLUMNS, { by });

export const findContactsById = rows.findMany(['id', ...SHOWN_COLUMNS]);

/** Exactly the condition of the partial index: SQLite uses the index only for the same expression. */
const WITHOUT_IDENTITY = sql`and coalesce(phone_identity, '') = ''`;

/** Locks rows by their ids, a JSON array. One order prevents deadlocks between transactions that lock the same rows. The order is that
 *  of no index, or SQLite would scan all contacts in it. */
const lockMany = <C extends keyof StoredContact>(selected: readonly C[], lock: 'lockRow' | 'lockRowShared') =>
  statement(
    ({ workspace, keys }: Keys, dialect) => sql<Pick<StoredContact, C>>`
      select ${columnsOf(selected)} from contacts where workspace_id = ${workspace}
      and id in (select value from ${dialect.eachText(keys)}) order by id || '' ${dialect[lock]()}`,
  );

/** The ids and identities of contacts, without locking them. */
const ID_AND_IDENTITY = ['id', 'phone_identity'] as const;
export const findIdentities = rows.findMany(ID_AND_IDENTITY);
/** Legacy contacts from whose number no identity could be derived. */
export const idsOfDisplayed = rows.findMany(ID_AND_IDENTITY, 'phone_number', WITHOUT_IDENTITY);

export const findStoredByIds = rows.findMany(COLUMNS);
export const selectByIdsForUpdate = lockMany(COLUMNS, 'lockRow');
/** Locks contacts so that they are not deleted before the transaction ends. Several transactions may hold this lock together. */
export const shareContacts = lockMany(['id'], 'lockRowShared');

/** By which contacts are compared. */
const COMPARED = [
  'id',
  'phone_identity',
  'email',
  'first_name',
  'last_name',
  'display_name',
  'company',
  'crm_ids',
  'identities',
] as const;
export type ComparedContact = Pick<ContactRow, (typeof COMPARED)[number]>;
export const shareCompared = lockMany(COMPARED, 'lockRowShared');

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

/** Who created contacts. */
export const creators = rowsOf<StoredContact & Pick<NewContactRow, 'created_by'>>({
  table: 'contacts',
}).findMany(['id', 'created_by']);
