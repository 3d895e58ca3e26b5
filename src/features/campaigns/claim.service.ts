import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import { change } from '../../records/change.ts';
import { findVersionText } from '../agents/agent.store.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { contactsById } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { CallWindow } from './call-window.ts';
import type { CampaignStatus, ClaimCreate } from './campaign.schema.ts';
import { hasEnded, lockCampaignForClaim } from './campaign.service.ts';
import { findAgentName, type ScheduleColumns } from './campaign.store.ts';
import { type Due, selectDue, selectDueInWindow, withoutExhausted } from './claim.queue.ts';
import { recordAllEnrolled } from './enrollment.events.ts';
import { leaseEnd } from './enrollment.service.ts';
import { startLeases } from './enrollment.store.ts';

const claimId = typeId('claim');

/** What a request has claimed. It is stored as the answer for an Idempotency-Key, so it has ids and no personal data. */
export interface ClaimedContacts {
  campaign: { id: string; status: CampaignStatus };
  agent_id: string;
  /** Null if nothing was claimed. */
  version_id: string | null;
  claims: { claim_id: string; contact_id: string; lease_expires_at: string; attempt: number }[];
  /** When to ask again, if the call window is the reason that nothing was claimed. */
  retry_at?: string;
}

/** How often a claim looks for other contacts in place of those that it may not hand out. */
const MAX_SELECTS = 10;
/** When to ask again if the zones of the contacts, or those that have used all attempts, are still being processed. */
const BUSY_MS = 1_000;

type Claimable = Pick<ScheduleColumns, 'call_window' | 'max_attempts' | 'zones_after'> & { id: string };

/** The contacts to hand out. Without a call window and a maximum of attempts, this is one look at the queue. */
const selectClaimable = async (
  db: Db,
  principal: Principal,
  { id: campaign, call_window, max_attempts, zones_after }: Claimable,
  limit: number,
): Promise<Due> => {
  const { workspace } = principal;
  const window = call_window === null ? undefined : (JSON.parse(call_window) as CallWindow);
  const now = Date.now();
  const queue = { workspace, campaign, now };
  for (let selects = 0; selects < MAX_SELECTS; selects++) {
    const due = window
      ? await selectDueInWindow(db, principal, queue, { window, limit })
      : await selectDue(db, queue, limit).then((rows) => ({ rows, found: rows.length }));
    const rows =
      max_attempts === null
        ? due.rows
        : await withoutExhausted(db, principal, campaign, { rows: due.rows, max: max_attempts });
    // Rows that this transaction has locked would be found again, so a claim of fewer contacts than the limit is possible.
    if (rows.length > 0) return { ...due, rows };
    if (due.found === 0) return { ...due, ...(zones_after !== null && { retryAt: now + BUSY_MS }) };
  }
  return { rows: [], found: 0, retryAt: now + BUSY_MS };
};

/** Hands out due contacts of an active campaign, each under a lease. An expired lease needs no job: its end is the time at
 *  which the contact is due again. */
export const claimContacts = write(
  'claimContacts',
  async (
    db: Db,
    principal: Principal,
    { id, limit = 1, lease_seconds = 300 }: ClaimCreate & { id: string },
  ): Promise<ClaimedContacts> => {
    const { workspace } = principal;
    const campaign = await lockCampaignForClaim(db, principal, id);
    const { agent_id } = campaign;
    // The job that finishes the campaign may be late.
    const status = hasEnded(campaign) ? 'finished' : campaign.status;
    const details = { campaign: { id: campaign.id, status }, agent_id };
    if (status !== 'active') return { ...details, version_id: null, claims: [] };
    const version = await activeVersion(db, principal, { agent: agent_id });
    if (!version) {
      throw conflict(
        'The agent of this campaign has no deployed version, so no contacts were claimed. Deploy a version, or pause the campaign.',
      );
    }
    const { rows: due, retryAt } = await selectClaimable(db, principal, campaign, limit);
    if (due.length === 0) {
      const retry_at = retryAt === undefined ? undefined : new Date(retryAt).toISOString();
      return { ...details, version_id: null, claims: [], ...(retry_at && { retry_at }) };
    }
    // A contact whose lease expires without a report is due again after the minimum time between attempts.
    const expires_at = leaseEnd(Math.max(lease_seconds, (campaign.min_retry_minutes ?? 0) * 60));
    const claims = due.map(({ contact_id, attempts, updated_at }) => ({
      claim_id: claimId.create(),
      contact_id,
      lease_expires_at: expires_at,
      attempt: attempts + 1,
      updated_at: timestampAfter(updated_at),
    }));
    const key = { workspace, campaign: campaign.id };
    await db.run(startLeases, { ...key, now: timestamp(), expires_at, rows: JSON.stringify(claims) });
    await recordAllEnrolled(db, principal, campaign.id, due);
    const [subject] = claims.length === 1 ? claims.map(({ contact_id }) => contact_id) : [];
    const counts = { claimed: claims.length };
    change(db, principal, { action: 'enrollment.claimed', subject, parent: campaign.id, counts });
    return { ...details, version_id: version.id, claims: claims.map(({ updated_at: _, ...claim }) => claim) };
  },
);

/** The claims with the current fields of their contacts, as JSON. Those of a retry may be old: a contact that was deleted meanwhile
 *  is left out, because its enrollment no longer exists, and so is one whose lease has ended, because another caller may have it. */
export const describeClaims = read(
  'describeClaims',
  async (db: Db, principal: Principal, claimed: ClaimedContacts): Promise<string> => {
    const { workspace } = principal;
    const { campaign, agent_id, version_id } = claimed;
    const ids = claimed.claims.map(({ contact_id }) => contact_id);
    const [agent, version, contacts] = await Promise.all([
      db.get(findAgentName, { workspace, id: agent_id }),
      version_id === null ? null : db.get(findVersionText, { workspace, version: version_id }),
      contactsById(db, principal, ids),
    ]);
    const now = timestamp();
    const claims = claimed.claims.flatMap(({ contact_id, ...claim }) => {
      const contact = contacts.get(contact_id);
      return contact === undefined || claim.lease_expires_at <= now
        ? []
        : [withMember(JSON.stringify(claim), 'contact', contact)];
    });
    const details = { campaign, agent: { id: agent_id, name: agent?.name ?? '' }, version };
    return withMember(JSON.stringify(details), 'claims', `[${claims.join(',')}]`);
  },
);
