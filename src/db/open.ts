import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { foldTallies, keepFolding } from './postgres/counter-compaction.ts';
import { keepPulse } from './postgres/health-check.ts';
import { migratePostgres } from './postgres/migrate.ts';
import { Lines } from './postgres/pool-sockets.ts';
import { openPool, openPostgres } from './postgres/storage.ts';
import { explained } from './setup-errors.ts';
import { migrateSqlite } from './sqlite/migrate.ts';
import { openDirect, openThreaded } from './sqlite/storage.ts';
import type { Storage } from './storage.ts';

export type Database =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

export interface OpenOptions {
  /** For a service: the script that serves operations on a thread. A command does without, and without what a service
   *  does in the background. */
  readonly thread?: URL;
  readonly onFault: (error: Error) => void;
}

/** Opens the database, made or brought up to date where needed. */
export const openStorage = (database: Database, options: OpenOptions): Promise<Storage> =>
  explained(database, () => open(database, options));

const open = async (database: Database, { thread, onFault }: OpenOptions): Promise<Storage> => {
  if (database.engine === 'postgres') {
    const lines = new Lines();
    const pool = await openPool({ url: database.url, onFault, lines });
    try {
      await migratePostgres(pool);
      if (!thread) return openPostgres(pool);
      await foldTallies(pool).catch(onFault);
      return openPostgres(pool, {
        beforeEnd: keepFolding(pool, onFault),
        // To the last: a server without a pulse must not hold up the end.
        afterEnd: keepPulse(database.url, lines),
      });
    } catch (error) {
      await pool.end();
      throw error;
    }
  }
  mkdirSync(dirname(database.path), { recursive: true, mode: 0o700 });
  migrateSqlite(database.path);
  return thread ? openThreaded({ path: database.path, thread, onFault }) : openDirect(database.path);
};
