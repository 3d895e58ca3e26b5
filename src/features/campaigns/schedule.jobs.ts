import type { Db } from '../../db/db.ts';
import type { Key } from '../../db/rows.ts';
import type { Work } from '../../jobs/job.service.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { SCHEDULE } from '../../records/change.ts';
import { activeVersion, tryLockAgent } from '../agents/deploy.service.ts';
import { contactsById } from '../contacts/contact.lookup.ts';
import type { Principal } from '../workspaces/principal.ts';
import { campaignStep } from './campaign.jobs.ts';
import type { StartState } from './campaign.schema.ts';
import { agentOf, changeCampaign, isOver, recordScheduleChange } from './campaign.service.ts';
import * as store from './campaign.store.ts';
import { storeZones } from './enrollment.changes.ts';
import { walkEnrolled } from './enrollment.store.ts';

/** Records why the campaign was not started; its page shows it. */
const recordSkipped = async (
  db: Db,
  principal: Principal,
  campaign: store.Campaign,
  start_state: StartState,
): Promise<void> => {
  const updated_at = timestampAfter(campaign.updated_at);
  await db.run(store.updateCampaignRow, { ...campaign, start_state, updated_at });
  await recordScheduleChange(db, principal, campaign.id, { fields: ['start_status'] });
};

/** Starts a campaign by its schedule, unless its agent has no deployed version: claims would fail, and a start must not wait for
 *  a deploy that was made for something else. After a pause of the service, the end may have passed as well: its job leaves a draft
 *  as it is, so the campaign would never end. */
const start = async (db: Db, principal: Principal, campaign: store.Campaign): Promise<void> => {
  if (campaign.status !== 'draft' && campaign.status !== 'paused') return;
  if (isOver(campaign)) return recordSkipped(db, principal, campaign, 'end_passed');
  const agent = await tryLockAgent(db, principal, { agent: campaign.agent_id });
  if (agent === undefined) return recordSkipped(db, principal, campaign, 'agent_deleted');
  if (!(await activeVersion(db, principal, { agent })))
    return recordSkipped(db, principal, campaign, 'no_deployed_version');
  await changeCampaign(db, principal, { id: campaign.id, status: 'active', start_state: 'started' });
};

/** Agents are locked before campaigns (see the lock order). */
const lockWithAgent = async (db: Db, key: Key) => {
  const agent = await agentOf(db, key);
  if (agent !== undefined) await tryLockAgent(db, { ...key, actor: SCHEDULE }, { agent });
  return db.get(store.selectCampaignForUpdate, key);
};

/** A step of a job that is due at a time of the schedule. If the clock was set back, it is due before, and stays then. */
const stepAt = (
  name: string,
  timeOf: (campaign: store.Campaign) => string | null,
  run: (db: Db, principal: Principal, campaign: store.Campaign) => Promise<unknown>,
) =>
  campaignStep(
    name,
    async (db, campaign, _: Work) => {
      const at = timeOf(campaign);
      if (at !== null && at > timestamp()) return Date.parse(at) - Date.now();
      const principal = { workspace: campaign.workspace_id, actor: SCHEDULE };
      if (at !== null) await run(db, principal, campaign);
      return true;
    },
    lockWithAgent,
  );

export const startStep = stepAt(
  'startScheduledCampaign',
  ({ starts_at, start_state }) => (start_state === null ? starts_at : null),
  start,
);

/** A campaign that never started stays a draft: to finish it cannot be undone. */
export const endStep = stepAt(
  'endScheduledCampaign',
  ({ ends_at }) => ends_at,
  async (db, principal, { id, status }) => {
    if (status === 'active' || status === 'paused')
      await changeCampaign(db, principal, { id, status: 'finished' });
  },
);

/** Stores the time zones of some enrolled contacts of a campaign that has got a call window. Contacts are locked before their
 *  enrollments (see the lock order). */
export const zonesStep = campaignStep('storeCampaignZones', async (db, campaign, { size }: Work) => {
  const { workspace_id: workspace, id, zones_after: after } = campaign;
  // The window was removed, or another instance has finished.
  if (after === null) return true;
  const found = await db.all(walkEnrolled, { workspace, campaign: id, after, limit: size });
  const contacts = found.map(({ contact_id }) => contact_id);
  await contactsById(db, { workspace }, contacts);
  await storeZones(db, { workspace, campaign: id }, found);
  const isDone = contacts.length < size;
  const zones_after = isDone ? null : (contacts.at(-1) ?? null);
  await db.run(store.updateSchedule, { ...campaign, zones_after });
  return isDone;
});
