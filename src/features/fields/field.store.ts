import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { columnsOf, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statementsOver } from '../../db/statement.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { Definitions, FieldDefinition, FieldType, SentValues } from './field.values.ts';

const columns = {
  workspace_id: number,
  key: text,
  label: text,
  type: typed<FieldType>(),
  /** A JSON array, only of an enum. */
  options: textOrNull,
  filterable: number,
  /** 1 if the table of values has those of all contacts. */
  indexed: number,
  /** How far a job has walked the contacts that indexes the values, or erases them. */
  walked_until: number,
  /** Who erases the values; null unless a job does. */
  erased_by: textOrNull,
  archived_at: textOrNull,
  created_at: text,
  updated_at: text,
};
export type FieldRow = typeof columns;
const COLUMNS = namesOf(columns);

const fields = rowsOf<FieldRow>({ table: 'contact_fields' });
const by = { key: 'key' } as const;

export const insertField = fields.insert(COLUMNS);
export const findField = fields.find(COLUMNS, { by });
export const selectFieldForUpdate = fields.lock(COLUMNS, { by });
export const updateFieldRow = fields.set(
  ['label', 'options', 'filterable', 'indexed', 'walked_until', 'erased_by', 'archived_at', 'updated_at'],
  { by },
);
export const deleteFieldRow = fields.removeBy({ by });

const statement = statementsOver<unknown>();

/** Changes of a workspace's fields run one after another, so that together they do not exceed a limit. */
export const lockDefinitions = statement(
  (_, { workspace, name }: { workspace: number; name: string }, dialect) => sql<{ locked: unknown }>`
    select ${dialect.advisoryLock(name)} as locked from workspaces where id = ${workspace}`,
);

/** All fields of a workspace, in the order of their creation. */
export const listFieldRows = statement(
  (_, { workspace }: { workspace: number }) => sql<FieldRow>`
    select ${columnsOf(COLUMNS)} from contact_fields where workspace_id = ${workspace} order by created_at, key`,
);

/** What a rendering needs to know of them. */
export const listFieldTypes = statement(
  (_, { workspace }: { workspace: number }) => sql<Pick<FieldRow, 'key' | 'type' | 'archived_at'>>`
    select key, type, archived_at from contact_fields where workspace_id = ${workspace}`,
);

/** All fields for writes of values: no other transaction can change the fields until this one ends. */
const shareFieldRows = statement(
  (_, { workspace }: { workspace: number }, dialect) => sql<FieldRow>`
    select ${columnsOf(COLUMNS)} from contact_fields where workspace_id = ${workspace} order by key
    ${dialect.lockRowShared()}`,
);
const shareSomeRows = statement(
  (_, { workspace, keys }: { workspace: number; keys: string }, dialect) => sql<FieldRow>`
    select ${columnsOf(COLUMNS)} from contact_fields where workspace_id = ${workspace}
    and ${dialect.isAmongFew(sql.ref('key'), sql`select value from ${dialect.eachText(keys)}`)} order by key
    ${dialect.lockRowShared()}`,
);

export const definitionOf = (row: FieldRow): FieldDefinition => ({
  key: row.key,
  label: row.label,
  type: row.type,
  options: row.options === null ? null : (JSON.parse(row.options) as string[]),
  filterable: row.filterable === 1,
  indexed: row.indexed === 1,
  archived_at: row.archived_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The fields of a workspace by their keys, archived ones included. */
export const fieldsOf = (db: Db, workspace: number): MaybePromise<Map<string, FieldDefinition>> =>
  chain(db.all(listFieldRows, { workspace }), byKey);

const byKey = (rows: readonly FieldRow[]) => new Map(rows.map((row) => [row.key, definitionOf(row)]));

const NONE: Definitions = new Map();

/** The fields for a write of values. Call it before contacts are locked. */
export const lockFields = (db: Db, workspace: number): MaybePromise<Definitions> =>
  chain(db.all(shareFieldRows, { workspace }), byKey);

/** The fields whose values requests write; the others are read only to be named to a caller who sent an unknown key and may see
 *  them. */
export const fieldsFor = (
  db: Db,
  principal: Principal,
  requests: readonly { readonly fields?: SentValues | undefined }[],
): MaybePromise<Definitions> => {
  const { workspace } = principal;
  const keys = [...new Set(requests.flatMap(({ fields = {} }) => Object.keys(fields)))];
  if (keys.length === 0) return NONE;
  return chain(db.all(shareSomeRows, { workspace, keys: JSON.stringify(keys) }), (rows) =>
    rows.length === keys.length || isKeyWithout(principal, 'contacts:read')
      ? byKey(rows)
      : chain(fieldsOf(db, workspace), (all) => new Map([...all, ...byKey(rows)])),
  );
};
