import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { Reply } from '../service/test-service.ts';
import type { TestDatabase } from './engines.ts';

/** Keeps everybody from writing contacts and agents until it is let go; reads go on. */
const lockRecords = async ({ database }: TestDatabase): Promise<() => Promise<void>> => {
  if (database.engine === 'sqlite') {
    const file = new DatabaseSync(database.path);
    file.exec('begin immediate');
    return async () => file.close();
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin; lock table contacts, agents in exclusive mode');
  return () => client.end();
};

/** Two tries while the records are locked: the one that does not wait, and then the one that did. */
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
