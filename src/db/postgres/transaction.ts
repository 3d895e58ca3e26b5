import type { Pool, QueryConfig } from 'pg';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { inOnePacket, PostgresDb, withClient } from './connection.ts';

/** Timeouts of a short query and of any query. A server that does not answer is noticed sooner (see health-check.ts);
 *  these are for a single connection that died silently. */
export const SHORT_MS = 4_500;
export const LONG_MS = 20_000;

/** Runs work in one transaction. After an error nothing of it is stored. */
export const inTransaction = <O>(
  pool: Pool,
  work: (db: PostgresDb) => MaybePromise<O>,
  begin = 'begin',
): Promise<O> =>
  withClient(pool, async (client) => {
    const db = new PostgresDb(client, { timeoutMs: LONG_MS });
    const [value] = await inOnePacket(client, () => {
      // It costs the server nothing, so a connection that does not answer it is dead. The first statement follows without waiting.
      const begun = client.query({ text: begin, query_timeout: SHORT_MS } as QueryConfig);
      return Promise.all([work(db), begun]);
    });
    await inOnePacket(client, () => db.commit());
    return value;
  });
