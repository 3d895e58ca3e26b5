import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import * as store from '../../records/event.store.ts';
import { sequenceEvents } from './event.sequence.ts';

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

export const isUnsequencedBefore = read(
  'isUnsequencedBefore',
  async (db: Db, _: null, { workspace, before }: Pick<Expiry, 'workspace' | 'before'>): Promise<boolean> => {
    const oldest = await db.get(store.findUnsequenced, { workspace });
    return oldest !== undefined && oldest.at < before;
  },
);

export const deleteEvents = write(
  'deleteEvents',
  async (db: Db, _: null, { workspace, before }: Pick<Expiry, 'workspace' | 'before'>): Promise<number> =>
    db.run(store.deleteBefore, { workspace, before, limit: STEP }),
);

/** Deletes some expired events of a workspace. They get a position first, so that a reader notices that they are gone. */
export const expireEvents = async (storage: Storage, { workspace, before }: Expiry): Promise<number> => {
  if (await storage.run(isUnsequencedBefore, null, { workspace, before })) {
    try {
      const sequenced = await storage.run(sequenceEvents, null, { workspace, waits: true });
      if (sequenced > 0) return sequenced;
    } catch (error) {
      // Another transaction sequences many events; the next run deletes those of now.
      if (!(error instanceof TransactionConflict)) throw error;
    }
  }
  return storage.run(deleteEvents, null, { workspace, before });
};
