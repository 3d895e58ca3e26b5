import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import type { Db } from '../src/db/db.ts';
import { openStorage } from '../src/db/open/open.ts';
import { write } from '../src/db/operation.ts';
import { derivedStatement } from '../src/db/statement.ts';
import type { Storage } from '../src/db/storage.ts';
import { sequenceEvents } from '../src/features/events/event.sequence.ts';
import { findBounds } from '../src/records/event.store.ts';

const copyEvents = derivedStatement(
  ({ workspace, newest, limit }: { workspace: number; newest: number; limit: number }) => sql<never>`
    insert into events (workspace_id, seq, at, type, subject, contact_id, agent_id, campaign_id, actor, request_id, changed, data)
    select workspace_id, seq + ${newest}, at, type, subject, contact_id, agent_id, campaign_id, actor, request_id, changed, data
    from events where workspace_id = ${workspace} and seq > 0 and seq <= ${limit}`,
);

/** Copies events, so that the log has at least so many. Returns how many it has. */
const growLog = write(
  'growLog',
  async (db: Db, _: null, { workspace, count }: { workspace: number; count: number }): Promise<number> => {
    const newest = Number((await db.get(findBounds, { workspace }))?.newest);
    if (newest < count)
      await db.run(copyEvents, { workspace, newest, limit: Math.min(count - newest, 100_000) });
    return Math.max(newest, Math.min(count, newest + 100_000, 2 * newest));
  },
);

type Start = { workspace: number; backlog: number };

const moveBack = derivedStatement(
  ({ workspace, backlog }: Start) => sql<never>`
    update webhook_endpoints set position = (
      select max(seq) - cast(${backlog} as bigint) from events where workspace_id = ${workspace}
    ) where workspace_id = ${workspace}`,
);
const deleteDeliveries = derivedStatement(
  ({ workspace }: Start) => sql<never>`delete from webhook_deliveries where workspace_id = ${workspace}`,
);

/** Gives the webhooks of a workspace a backlog of so many events. */
const setBacklog = write('setBacklog', async (db: Db, _: null, start: Start): Promise<void> => {
  await db.run(deleteDeliveries, start);
  await db.run(moveBack, start);
});

const withStorage = async <T>(database: Database, work: (storage: Storage) => Promise<T>): Promise<T> => {
  const storage = await openStorage(database, {
    onFault: (error) => {
      throw error;
    },
  });
  return work(storage).finally(() => storage.close());
};

/** Grows the log of events of a workspace to a length. */
export const fillLog = (database: Database, log: { workspace: number; count: number }): Promise<void> =>
  withStorage(database, async (storage) => {
    while ((await storage.run(sequenceEvents, null, log)) > 0);
    while ((await storage.run(growLog, null, log)) < log.count);
  });

/** Gives the webhooks of a workspace a backlog of so many events, while they are paused. */
export const startBacklog = (database: Database, start: Start): Promise<void> =>
  withStorage(database, (storage) => storage.run(setBacklog, null, start));
