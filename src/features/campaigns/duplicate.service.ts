import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CampaignDuplicate } from './campaign.schema.ts';
import { type Campaign, campaignId, createCampaign, findCampaign, getCampaign } from './campaign.service.ts';
import { updateSchedule } from './campaign.store.ts';
import { enrollInSteps } from './enrollment.service.ts';
import { walkEnrolled } from './enrollment.store.ts';

/** Copies a campaign as a draft, without its enrollments. The copy does not start or end automatically. */
export const copyCampaign = write(
  'copyCampaign',
  async (db: Db, principal: Principal, { id, name }: { id: string; name?: string | undefined }) => {
    const found = await findCampaign(db, principal, id);
    const copy = await createCampaign(db, principal, { name: name ?? found.name, agent_id: found.agent_id });
    const manual = { starts_at: null, ends_at: null, start_state: null, zones_after: null };
    const { id: copied, updated_at } = copy;
    await db.run(updateSchedule, { ...found, ...manual, id: copied, updated_at });
    return copy;
  },
);

/** The next contacts of a campaign in the order of their ids. */
export const walkEnrolledContacts = longRead(
  'walkEnrolledContacts',
  async (
    db: Db,
    { workspace }: Principal,
    { campaign, after, limit }: { campaign: string; after: string; limit: number },
  ) => {
    const key = { workspace, campaign: campaignId.require(campaign) };
    const rows = await db.all(walkEnrolled, { ...key, after, limit });
    return rows.map(({ contact_id: id }) => ({ id, at: id }));
  },
);

/** Copies a campaign, and enrolls its contacts in the copy. */
export const duplicateCampaign = async (
  storage: Storage,
  principal: Principal,
  { id, body }: { id: string; body: CampaignDuplicate },
): Promise<Campaign> => {
  const copy = await storage.run(copyCampaign, principal, { id, name: body.name });
  if (!body.enroll_contacts) return copy;
  const find = (after: string, limit: number) =>
    storage.run(walkEnrolledContacts, principal, { campaign: id, after, limit });
  if ((await find('', 1)).length === 0) return copy;
  await enrollInSteps(storage, principal, copy.id, { first: '', find });
  return storage.run(getCampaign, principal, { id: copy.id });
};
