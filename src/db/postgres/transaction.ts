import type { Pool, QueryConfig } from 'pg';
import type { Pending } from '../../lib/maybe-promise.ts';
import { inOnePacket, PostgresDb, withClient } from './connection.ts';

/** How long one connection may be silent after a question: a short one, and any. That of the server itself is noticed
 *  sooner (see pulse.ts); this is for a single connection that died without a word. */
export const SHORT_MS = 4_500;
export const LONG_MS = 20_000;

/** Work in one transaction, which ends when the work has. On any error nothing of it is kept. */
export const inTransaction = <O>(
  pool: Pool,
  work: (db: PostgresDb) => Pending<O>,
  begin = 'begin',
): Promise<O> =>
  withClient(pool, async (client) => {
    const db = new PostgresDb(client, { patienceMs: LONG_MS });
    const [value] = await inOnePacket(client, () => {
      // It costs the server nothing, so a connection that does not answer it is dead. The first statement follows at once.
      const begun = client.query({ text: begin, query_timeout: SHORT_MS } as QueryConfig);
      return Promise.all([work(db), begun]);
    });
    await inOnePacket(client, () => db.commit());
    return value;
  });
