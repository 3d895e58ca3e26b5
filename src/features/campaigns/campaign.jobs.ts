import type { Db } from '../../db/db.ts';
import { cancelJob, type JobRow, jobStep, scheduleJob } from '../../jobs/job.service.ts';
import * as store from './campaign.store.ts';

/* The jobs of a campaign. The subject of each is the campaign's id. */

/** Start and end it by its schedule. */
export const STARTING = 'campaign.starting';
export const ENDING = 'campaign.ending';
/** Stores the time zones of the enrolled contacts. */
export const ZONES = 'campaign.zones';
/** Enrolls all contacts of a segment. */
export const ENROLLING = 'campaign.enrolling';
/** Follows the events of contacts that may match the audience now, or have got a missing value. */
export const FOLLOWING = 'campaign.following';
/** Deletes the enrollments of a deleted campaign. */
export const DELETING = 'campaign.deleting';

type Which = Pick<store.Campaign, 'workspace_id' | 'id'>;

export const startJob = (
  db: Db,
  { workspace_id: workspace, id: subject }: Which,
  kind: string,
  inMs = 0,
): Promise<void> => scheduleJob(db, { workspace, kind, subject, inMs });

export const cancelJobs = async (
  db: Db,
  { workspace_id: workspace, id: subject }: Which,
  ...kinds: string[]
): Promise<void> => {
  for (const kind of kinds) await cancelJob(db, { workspace, kind, subject });
};

type Lock = (db: Db, key: { workspace: number; id: string }) => Promise<store.Campaign | undefined>;

/** A step of a job, under the lock of its campaign. The job of a deleted campaign ends. `run` returns whether it was the last step, or in
 *  how many milliseconds the next one is due. */
export const campaignStep = <W extends { job: JobRow }>(
  name: string,
  run: (db: Db, campaign: store.Campaign, work: W) => Promise<boolean | number>,
  lock: Lock = async (db, key) => db.get(store.selectCampaignForUpdate, key),
) =>
  jobStep<W>(name, async (db, work) => {
    const campaign = await lock(db, { workspace: work.job.workspace_id, id: work.job.subject });
    return campaign === undefined || run(db, campaign, work);
  });
