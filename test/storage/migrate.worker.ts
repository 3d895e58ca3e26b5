import { workerData } from 'node:worker_threads';
import { migrateSqlite } from '../../src/storage/sqlite/migrate.ts';

migrateSqlite(workerData);
