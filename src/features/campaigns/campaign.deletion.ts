import { deleteCounters } from '../../db/counters.ts';
import { write } from '../../db/operation.ts';
import { completeStep } from '../../jobs/job.service.ts';
import { timestampAfter } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as jobs from './campaign.jobs.ts';
import { lockCampaign } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { countEnrolled, statusCounter, sumOf } from './enrollment.counts.ts';
import { deleteSome } from './enrollment.store.ts';
import { progressPrefix } from './progress.counts.ts';

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
export const deleteCampaignStep = write(
  'deleteCampaignStep',
  async (db, _: null, { job, size }: jobs.Work): Promise<boolean> => {
    const { workspace_id: workspace, subject: id } = job;
    const deleted = await db.all(deleteSome, { workspace, id, limit: size });
    const principal = { workspace, actor: id };
    for (const { contact_id: contact, status } of deleted)
      change(db, principal, {
        action: 'enrollment.deleted',
        subject: contact,
        isAudited: false,
        event: { contact, campaign: id },
        counters: { before: [statusCounter(id, status)] },
      });
    const isDone = deleted.length === 0;
    if (isDone) {
      await deleteCounters(db, workspace, progressPrefix(id));
      await db.run(store.deleteCampaignRow, { workspace, id });
    }
    await completeStep(db, job, isDone);
    return isDone;
  },
);
