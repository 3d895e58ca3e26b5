import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Reply } from '../service/test-service.ts';
import type { TestDatabase } from './engines.ts';

/** Blocks writes to contacts and agents, but no reads. Returns a function that unblocks them. */
export const lockRecords = async (
  { database }: TestDatabase,
  lock = 'contacts, agents in exclusive mode',
): Promise<() => Promise<void>> => {
  if (database.engine === 'sqlite') {
    const file = new DatabaseSync(database.path);
    file.exec('begin immediate');
    return async () => file.close();
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; lock table ${lock}`);
  return () => client.end();
};

/** Makes two attempts while the records are locked. Returns the one that had to wait and the one that did not. */
export const raceWhileLocked = async (
  database: TestDatabase,
  attempts: () => Promise<Reply>[],
): Promise<[Reply, Reply]> => {
  const release = await lockRecords(database);
  const both = attempts();
  const second = await Promise.race(both);
  await release();
  const first = (await Promise.all(both)).find((reply) => reply !== second);
  return [first as Reply, second];
};
