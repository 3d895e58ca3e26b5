import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { inDays, timestamp } from '../../lib/clock.ts';
import { markExpiringNoticed } from '../workspaces/key.store.ts';
import { recordNotice } from './notice.service.ts';

const NOTICE_DAYS_BEFORE = 7;
const MIN_AGE_DAYS = 1;

/** Writes a notice for every key that expires within a week, once. A key that was created less than a day ago gets none yet:
 *  its owner has just chosen the time. Returns 0, because one step handles all. */
export const noticeExpiringKeys = write(
  'noticeExpiringKeys',
  async (db: Db, _: null, { workspace }: { workspace: number }): Promise<0> => {
    const now = timestamp();
    const keys = await db.all(markExpiringNoticed, {
      workspace,
      now,
      until: inDays(NOTICE_DAYS_BEFORE),
      createdBefore: inDays(-MIN_AGE_DAYS),
    });
    for (const { id, name, expires_at } of keys)
      recordNotice(db, { workspace }, { kind: 'key.expiring', subject: id, name, detail: expires_at });
    return 0;
  },
);
