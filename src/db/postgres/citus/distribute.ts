import type { PoolClient } from 'pg';
import { DatabaseSetupError } from '../../database.ts';
import { migrations } from '../../migrations/index.ts';
import { parentsFirst } from '../../parents-first.ts';

type Placement = 'distributed' | 'reference' | 'local';

interface Table {
  readonly name: string;
  /** Null for a table that Citus does not know yet. */
  readonly placement: Placement | null;
  /** Whether `workspace_id` is part of every unique key, so that rows of a workspace can be on one shard. */
  readonly byWorkspace: boolean;
  /** The tables that its foreign keys reference. */
  readonly parents: readonly string[];
}

/** The tables of Roster. Other applications may have tables in the same schema. */
export const ROSTER_TABLES = new Set(
  migrations
    .flatMap((migration) => migration.statements('postgres'))
    .flatMap((statement) => [...statement.matchAll(/^create (?:unlogged )?table (\w+)/g)])
    .map(([, name]) => name as string),
);

/** Tables that only the coordinator has. Sign-in and the choice of the next job read and write them for all workspaces, and
 *  must not depend on every worker. */
const COORDINATOR_TABLES = new Set(['hooks', 'jobs', 'seal_checks', 'sign_in_addresses', 'sign_in_failures']);

const placementOf = ({ name, byWorkspace }: Table): Placement =>
  COORDINATOR_TABLES.has(name) ? 'local' : byWorkspace ? 'distributed' : 'reference';

const TABLES = `select c.relname as name,
  case when partmethod = 'h' then 'distributed' when repmodel = 't' then 'reference'
    when partmethod is not null then 'local' end as placement,
  exists (select 1 from pg_attribute where attrelid = c.oid and attname = 'workspace_id')
    and not exists (select 1 from pg_index as i where i.indrelid = c.oid and i.indisunique and not exists (
      select 1 from pg_attribute where attrelid = i.indexrelid and attname = 'workspace_id')) as "byWorkspace",
  array(select confrelid::regclass::text from pg_constraint
    where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as parents
  from pg_class as c left join pg_dist_partition on logicalrelid = c.oid
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind = 'r'
  order by c.relname`;

const IS_CITUS = `select exists (select 1 from pg_extension where extname = 'citus') as citus`;
const IS_COORDINATOR = 'select groupid = 0 as coordinator from pg_dist_local_group';
/** A cluster without any node gets its coordinator automatically. */
const KNOWS_COORDINATOR = `select count(*) = 0 or bool_or(groupid = 0) as known from pg_dist_node`;

const FOREIGN_KEYS = `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
  where conrelid = $1::regclass and contype = 'f'`;

/** Citus makes a table local, and moves a table back, only without its foreign keys. */
const withoutForeignKeys = async (
  client: PoolClient,
  table: string,
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(FOREIGN_KEYS, [table]);
  for (const { name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  await work();
  for (const { name, definition } of rows)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
};

const readTables = async (client: PoolClient): Promise<Table[]> =>
  (await client.query<Table>(TABLES)).rows.filter(({ name }) => ROSTER_TABLES.has(name));

/** Where the tables of Roster are. */
export const readPlacements = async (client: PoolClient): Promise<(Placement | null)[]> =>
  (await readTables(client)).map(({ placement }) => placement);

/** With this table all others are co-located. */
const FIRST = 'contacts';

/** Called with each table before it is moved. */
export type OnTable = (table: { name: string; placement: Placement; at: number; count: number }) => void;

/** On a database with the Citus extension, moves all tables that are not where they belong: those of a workspace to the
 *  shard of its id; the users and workspaces to every node, as reference tables; the queue of jobs and the rest of the
 *  directory to the coordinator. Call it in the transaction of the migrations. */
export const distributeTables = async (client: PoolClient, onTable: OnTable = () => {}): Promise<void> => {
  const tables = await readTables(client);
  const misplaced = tables.filter((table) => table.placement !== placementOf(table));
  const ofPlacement = (placement: Placement) =>
    parentsFirst(misplaced.filter((table) => placementOf(table) === placement));
  const distributed = ofPlacement('distributed');
  const references = ofPlacement('reference');
  const ordered = [
    ...references,
    ...distributed.filter(({ name }) => name === FIRST),
    ...distributed.filter(({ name }) => name !== FIRST),
    ...ofPlacement('local'),
  ];
  for (const [at, table] of ordered.entries()) {
    const { name } = table;
    const placement = placementOf(table);
    onTable({ name, placement, at, count: ordered.length });
    if (placement === 'reference') await client.query('select create_reference_table($1)', [name]);
    else if (placement === 'local')
      await withoutForeignKeys(client, name, async () => {
        // Earlier releases had these tables on all nodes.
        if (table.placement !== null) await client.query('select undistribute_table($1)', [name]);
        await client.query('select citus_add_local_table_to_metadata($1)', [name]);
      });
    else {
      const options = name === FIRST ? '' : `, colocate_with => '${FIRST}'`;
      await client.query(`select create_distributed_table($1, 'workspace_id'${options})`, [name]);
    }
  }
  // The rows were copied to the shards. Without this they would stay, invisible, in the tables of the coordinator. Children
  // are emptied before their parents.
  for (const { name } of [...references, ...distributed].toReversed())
    await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
};

/** Whether the database has the Citus extension. */
export const hasCitus = async (client: Pick<PoolClient, 'query'>): Promise<boolean> =>
  (await client.query(IS_CITUS)).rows[0].citus;

/** Whether the database is distributed with Citus. Throws on a worker, where sequences begin at other numbers. */
export const isDistributed = async (client: PoolClient): Promise<boolean> => {
  if (!(await hasCitus(client))) return false;
  const node = await client.query(IS_COORDINATOR);
  if (!node.rows[0]?.coordinator)
    throw new DatabaseSetupError(
      'DATABASE_URL leads to a worker of a Citus cluster. Change it to the coordinator.',
    );
  const nodes = await client.query(KNOWS_COORDINATOR);
  if (!nodes.rows[0].known)
    throw new DatabaseSetupError(
      `The Citus cluster does not know its coordinator, where Roster stores the job queue. Ask an administrator to run: select citus_set_coordinator_host('COORDINATOR', 5432);`,
    );
  return true;
};

/** Foreign keys to reference tables need tables to be created and changed one after the other. */
export const CITUS_SETTINGS = `set local citus.enable_local_reference_table_foreign_keys = off;
  set local citus.multi_shard_modify_mode = 'sequential'`;
