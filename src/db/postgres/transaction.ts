import type { Pool, QueryConfig } from 'pg';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { inOnePacket, PostgresDb, withClient } from './connection.ts';
import { checkReplicated } from './replication.ts';

/** Timeouts of short queries and of all others, for a single connection that died silently. The health check notices an
 *  unreachable server sooner. */
export const SHORT_MS = 4_500;
export const LONG_MS = 20_000;

/** Runs work in one transaction, which is rolled back after an error. */
export const inTransaction = <O>(
  pool: Pool,
  work: (db: PostgresDb) => MaybePromise<O>,
  begin = 'begin',
): Promise<O> =>
  withClient(pool, async (client) => {
    const db = new PostgresDb(client, { timeoutMs: LONG_MS });
    const [value] = await inOnePacket(client, () => {
      // `begin` costs nothing, so a connection that does not answer it is dead. The first statement is sent with it.
      const begun = client.query({ text: begin, query_timeout: SHORT_MS } as QueryConfig);
      return Promise.all([work(db), begun]);
    });
    await inOnePacket(client, () => db.commit());
    checkReplicated(client);
    return value;
  });
