import { workerData } from 'node:worker_threads';
import { migrateSqlite } from '../../src/db/sqlite/migrate.ts';

migrateSqlite(workerData);
