import { deleteCounters } from '../../db/counters.ts';
import { write } from '../../db/operation.ts';
import { jobStep } from '../../jobs/job.service.ts';
import { timestampAfter } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as jobs from './campaign.jobs.ts';
import { lockCampaign } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { countEnrolled, progressPrefix, sumOf } from './enrollment.counts.ts';
import { recordUnenrolled } from './enrollment.events.ts';
import { deleteSome } from './enrollment.store.ts';

/** Deletes a campaign. It is hidden immediately; a job deletes its enrollments in steps, and then the campaign. Contacts and calls
 *  remain. */
export const deleteCampaign = write(
  'deleteCampaign',
  async (db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const { workspace } = principal;
    const found = await lockCampaign(db, principal, id);
    const enrolled = (await countEnrolled(db, workspace, [found.id]))(found.id);
    const deleted_at = timestampAfter(found.updated_at);
    const row = { workspace_id: workspace, id: found.id, deleted_at, updated_at: deleted_at };
    await db.run(store.markDeleted, { ...row, status: 'finished' });
    change(db, principal, {
      action: 'campaign.deleted',
      subject: found.id,
      counts: { enrollments: sumOf(enrolled) },
      event: { campaign: found.id, agent: found.agent_id },
    });
    const { STARTING, ENDING, ZONES, ENROLLING, FOLLOWING } = jobs;
    await jobs.cancelJobs(db, found, STARTING, ENDING, ZONES, ENROLLING, FOLLOWING);
    await jobs.startJob(db, found, jobs.DELETING);
  },
);

/** Deletes some enrollments of a deleted campaign, and the campaign after the last. */
export const deleteCampaignStep = jobStep('deleteCampaignStep', async (db, { job, size }) => {
  const { workspace_id: workspace, subject: id } = job;
  const deleted = await db.all(deleteSome, { workspace, campaign: id, limit: size });
  await recordUnenrolled(db, { workspace, actor: id }, deleted);
  if (deleted.length > 0) return false;
  await deleteCounters(db, workspace, progressPrefix(id));
  await db.run(store.deleteCampaignRow, { workspace, id });
  return true;
});
