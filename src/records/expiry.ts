import type { Db } from '../db/db.ts';
import { write } from '../db/operation.ts';
import type { Expiry } from '../jobs/expiry.ts';
import { deleteBefore } from './audit.store.ts';
import { deleteChangesBefore } from './timeline.store.ts';

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

/** Deletes some expired audit entries of a workspace, oldest first, and returns how many. */
export const expireEntries = write(
  'expireEntries',
  async (db: Db, _: null, expiry: Expiry): Promise<number> =>
    db.run(deleteBefore, { ...expiry, limit: STEP }),
);

/** The same for the timelines of contacts. */
export const expireChanges = write(
  'expireChanges',
  async (db: Db, _: null, expiry: Expiry): Promise<number> =>
    db.run(deleteChangesBefore, { ...expiry, limit: STEP }),
);
