import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { pickColumns, type Statement, statement } from '../../db/statement.ts';
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

/** Locks the definitions of a workspace until the transaction ends. Not the rows: a shared row lock writes to the row. */
const lock = (kind: 'advisoryLock' | 'sharedAdvisoryLock') =>
  statement(
    ({ workspace, name }: { workspace: number; name: string }, dialect) => sql<{ locked: unknown }>`
      select ${dialect[kind](name)} as locked from workspaces where id = ${workspace}`,
  );
const exclusive = lock('advisoryLock');
const shared = lock('sharedAdvisoryLock');
const lockName = (workspace: number) => ({ workspace, name: `fields of ${workspace}` });

/** All fields of a workspace, in the order of their creation. */
export const listFieldRows = fields.find(COLUMNS, { by: {}, order: sql`created_at, key` });

const findSome = fields.findMany(COLUMNS, 'key');

export const definitionOf = (row: FieldRow): FieldDefinition => ({
  ...pickColumns(row, ['key', 'label', 'type', 'archived_at', 'created_at', 'updated_at']),
  options: row.options === null ? null : (JSON.parse(row.options) as string[]),
  filterable: row.filterable === 1,
  indexed: row.indexed === 1,
});

/** The fields of a workspace by their keys, archived ones included. */
export const fieldsOf = (db: Db, workspace: number): MaybePromise<Map<string, FieldDefinition>> =>
  chain(db.all(listFieldRows, { workspace }), byKey);

const byKey = (rows: readonly FieldRow[]) => new Map(rows.map((row) => [row.key, definitionOf(row)]));

/** All fields, for a change of them: no other transaction can change one, or write values, until this one ends. */
export const lockDefinitions = async (db: Db, workspace: number): Promise<FieldRow[]> => {
  await db.get(exclusive, lockName(workspace));
  return db.all(listFieldRows, { workspace });
};

/** Reads fields that no other transaction can change until this one ends. A later statement than that of the lock sees all changes
 *  before it; they share a round trip. */
const readShared = async <A extends { workspace: number; keys?: string }>(
  db: Db,
  statement: Statement<A, FieldRow>,
  args: A,
): Promise<Map<string, FieldDefinition>> => {
  const [, rows] = await Promise.all([db.get(shared, lockName(args.workspace)), db.all(statement, args)]);
  return byKey(rows);
};

/** The fields, which no other transaction can change until this one ends. Call it before contacts are locked. */
export const lockFields = (db: Db, workspace: number): Promise<Definitions> =>
  readShared(db, listFieldRows, { workspace });

const NONE: Definitions = new Map();

/** The fields whose values requests write; the others are read only to be named to a caller who sent an unknown key and may see
 *  them. */
export const fieldsFor = async (
  db: Db,
  principal: Principal,
  requests: readonly { readonly fields?: SentValues | undefined }[],
): Promise<Definitions> => {
  const { workspace } = principal;
  const keys = [...new Set(requests.flatMap(({ fields = {} }) => Object.keys(fields)))];
  if (keys.length === 0) return NONE;
  const found = await readShared(db, findSome, { workspace, keys: JSON.stringify(keys) });
  const isNamed = found.size < keys.length && !isKeyWithout(principal, 'contacts:read');
  return isNamed ? new Map([...(await fieldsOf(db, workspace)), ...found]) : found;
};
