import type { PoolClient } from 'pg';
import { DatabaseSetupError } from '../database.ts';
import { migrations } from '../migrations/index.ts';

interface Table {
  readonly name: string;
  /** Whether `workspace_id` is part of every unique key, so that rows of a workspace can be on one shard. */
  readonly byWorkspace: boolean;
  /** The tables that its foreign keys reference. */
  readonly parents: readonly string[];
}

/** The tables of Roster. Other applications may have tables in the same schema. */
const ROSTER_TABLES = new Set(
  migrations
    .flatMap((migration) => migration.statements('postgres'))
    .flatMap((statement) => [...statement.matchAll(/^create (?:unlogged )?table (\w+)/g)])
    .map(([, name]) => name as string),
);

/** The tables that are not distributed yet. */
const LOCAL_TABLES = `select c.relname as name,
  exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'workspace_id')
    and not exists (select 1 from pg_index as i where i.indrelid = c.oid and i.indisunique and not exists (
      select 1 from pg_attribute where attrelid = i.indexrelid and attname = 'workspace_id')) as "byWorkspace",
  array(select confrelid::regclass::text from pg_constraint
    where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as parents
  from pg_class as c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and not exists (select 1 from pg_dist_partition where logicalrelid = c.oid)
  order by c.relname`;

const IS_CITUS = `select exists (select 1 from pg_extension where extname = 'citus') as citus`;
const IS_COORDINATOR = 'select groupid = 0 as coordinator from pg_dist_local_group';

/** Tables after the tables that they reference. */
const parentsFirst = (tables: readonly Table[]): Table[] => {
  const sorted: Table[] = [];
  for (let waiting = [...tables]; waiting.length > 0; ) {
    const names = new Set(waiting.map(({ name }) => name));
    const next = waiting.filter(({ parents }) => !parents.some((parent) => names.has(parent)));
    if (next.length === 0) throw new Error('tables reference each other in a circle');
    sorted.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return sorted;
};

/** With this table all others are co-located. */
const FIRST = 'contacts';

/** On a database with the Citus extension, distributes all tables that are not distributed yet: those of a workspace by
 *  its id, on the same shard, and the directory as reference tables, which every node has. Call it in the transaction of the
 *  migrations. */
export const distributeTables = async (client: PoolClient): Promise<void> => {
  const { rows } = await client.query<Table>(LOCAL_TABLES);
  const tables = rows.filter(({ name }) => ROSTER_TABLES.has(name));
  const references = parentsFirst(tables.filter(({ byWorkspace }) => !byWorkspace));
  const distributed = parentsFirst(tables.filter(({ byWorkspace }) => byWorkspace));
  const first = distributed.filter(({ name }) => name === FIRST);
  const others = distributed.filter(({ name }) => name !== FIRST);
  for (const { name } of references) await client.query('select create_reference_table($1)', [name]);
  for (const { name } of first)
    await client.query(`select create_distributed_table($1, 'workspace_id')`, [name]);
  for (const { name } of others)
    await client.query(`select create_distributed_table($1, 'workspace_id', colocate_with => '${FIRST}')`, [
      name,
    ]);
  // The rows were copied to the shards. Without this they would stay, invisible, in the tables of the coordinator. Children
  // are emptied before their parents.
  for (const { name } of [...references, ...distributed].toReversed())
    await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
};

/** Whether the database is distributed with Citus. Throws on a worker, where sequences begin at other numbers. */
export const isDistributed = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query(IS_CITUS);
  if (!rows[0].citus) return false;
  const node = await client.query(IS_COORDINATOR);
  if (node.rows[0]?.coordinator) return true;
  throw new DatabaseSetupError(
    'DATABASE_URL leads to a worker of a Citus cluster. Change it to the coordinator.',
  );
};

/** Foreign keys to reference tables need tables to be created and changed one after the other. */
export const CITUS_SETTINGS = `set local citus.enable_local_reference_table_foreign_keys = off;
  set local citus.multi_shard_modify_mode = 'sequential'`;
