import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { cancelJob, completeStep, type JobRow, scheduleJob } from '../../jobs/job.service.ts';
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

export type Work = { job: JobRow; size: number };

type Lock = (db: Db, key: { workspace: number; id: string }) => Promise<store.Campaign | undefined>;

/** A step of a job, under the lock of its campaign. `run` returns in how many milliseconds the next step is due, or undefined after the
 *  last. The job of a deleted campaign ends. */
export const campaignStep = <W extends { job: JobRow }>(
  name: string,
  run: (db: Db, campaign: store.Campaign, work: W) => Promise<number | undefined>,
  lock: Lock = async (db, key) => db.get(store.selectCampaignForUpdate, key),
) =>
  write(name, async (db: Db, _: null, work: W): Promise<boolean> => {
    const { workspace_id: workspace, kind, subject } = work.job;
    const campaign = await lock(db, { workspace, id: subject });
    const inMs = campaign && (await run(db, campaign, work));
    if (inMs === undefined) await cancelJob(db, { workspace, kind, subject });
    else if (inMs > 0) await scheduleJob(db, { workspace, kind, subject, inMs });
    else await completeStep(db, work.job, false);
    return inMs !== 0;
  });
