import { expiring } from '../../jobs/expiry.ts';
import { jobStep } from '../../jobs/job.service.ts';
import * as attempts from './attempt.store.ts';
import * as deliveries from './delivery.store.ts';

/** Deletes some deliveries and attempts of a deleted endpoint. */
export const deleteWebhookStep = jobStep('deleteWebhookStep', async (db, { job, size }) => {
  const step = { workspace: job.workspace_id, endpoint: job.subject, limit: size };
  return (await db.run(deliveries.deleteSome, step)) + (await db.run(attempts.deleteSome, step)) === 0;
});

export const expireAttempts = expiring('expireWebhookAttempts', attempts.deleteBefore);
export const expireDeliveries = expiring('expireWebhookDeliveries', deliveries.deleteExpired);
