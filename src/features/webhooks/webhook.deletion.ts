import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { type Expiry, expiring } from '../../jobs/expiry.ts';
import { completeStep, type JobRow } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import * as attempts from './attempt.store.ts';
import * as deliveries from './delivery.store.ts';

/** Deletes some deliveries and attempts of a deleted endpoint. */
export const deleteWebhookStep = write(
  'deleteWebhookStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const step = { workspace: job.workspace_id, endpoint: job.subject, limit: size };
    const count = (await db.run(deliveries.deleteSome, step)) + (await db.run(attempts.deleteSome, step));
    const isDone = count === 0;
    await completeStep(db, job, isDone);
    return isDone;
  },
);

export const expireAttempts = expiring('expireWebhookAttempts', attempts.deleteBefore);

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

/** Deletes some deliveries whose events have expired, and returns how many. */
export const expireDeliveries = write(
  'expireWebhookDeliveries',
  async (db: Db, _: null, { workspace }: Pick<Expiry, 'workspace'>): Promise<number> => {
    const count = await db.run(deliveries.deleteExpired, { workspace, limit: STEP });
    if (count > 0) await db.run(deliveries.unblockOrphans, { workspace, now: timestamp() });
    return count;
  },
);
