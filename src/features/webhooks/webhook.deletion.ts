import { write } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { completeStep, type JobRow } from '../../jobs/job.service.ts';
import * as attempts from './attempt.store.ts';
import * as deliveries from './delivery.store.ts';

/** Deletes some deliveries and attempts of a deleted endpoint. */
export const deleteWebhookStep = write(
  'deleteWebhookStep',
  async (db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const step = { workspace: job.workspace_id, endpoint: job.subject, limit: size };
    const count = (await db.run(deliveries.deleteSome, step)) + (await db.run(attempts.deleteSome, step));
    const isDone = count === 0;
    await completeStep(db, job, isDone);
    return isDone;
  },
);

export const expireAttempts = expiring('expireWebhookAttempts', attempts.deleteBefore);
export const expireDeliveries = expiring('expireWebhookDeliveries', deliveries.deleteExpired);
