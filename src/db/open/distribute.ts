import type { PostgresDatabase } from '../database.ts';
import { DatabaseSetupError } from '../database.ts';
import { hasCitus, type OnTable, readPlacements } from '../postgres/citus/distribute.ts';
import { withClient } from '../postgres/connection.ts';
import { migratePostgres } from '../postgres/migrate.ts';
import { withPool } from '../postgres/pool.ts';
import { explainSetupErrors } from './setup-errors.ts';

const NO_CITUS = `The database does not have the Citus extension. Citus must be in shared_preload_libraries of every node. Then ask an administrator to run in this database, on every node: create extension citus; and on the coordinator: select citus_set_coordinator_host('COORDINATOR', 5432); and for each worker: select citus_add_node('WORKER', 5432);`;

/** Migrates a database and distributes its tables with Citus, in one transaction. Can be repeated. Returns the tables that were moved now,
 *  and how many are on the shards of their workspaces, on every node, and on the coordinator. */
export const distributeDatabase = (database: PostgresDatabase, onTable: OnTable) =>
  explainSetupErrors(database, () =>
    withPool(database, async (pool) => {
      if (!(await withClient(pool, hasCitus))) throw new DatabaseSetupError(NO_CITUS);
      const moved: string[] = [];
      await migratePostgres(pool, {
        onTable: (table) => {
          moved.push(table.name);
          onTable(table);
        },
      });
      const placements = await withClient(pool, readPlacements);
      const count = (placement: string) => placements.filter((each) => each === placement).length;
      const [distributed, reference, local] = [count('distributed'), count('reference'), count('local')];
      return { moved, tables: { distributed, reference, local } };
    }),
  );
