import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import { change } from '../../records/change.ts';
import { findVersionText } from '../agents/agent.store.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { type Renderer, type Rendering, rendererOf } from '../agents/render.service.ts';
import { storeRenderings } from '../agents/rendering.service.ts';
import { findTexts } from '../agents/rendering.store.ts';
import { contactsById } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { withoutSkipped } from './audience.service.ts';
import type { CallWindow } from './call-window.ts';
import type { CampaignStatus, ClaimCreate } from './campaign.schema.ts';
import { hasEnded, lockCampaignForClaim } from './campaign.service.ts';
import { type Campaign, findAgentName } from './campaign.store.ts';
import { type Due, selectDue, selectDueInWindow, withoutExhausted } from './claim.queue.ts';
import type { DueEnrollment } from './claim.store.ts';
import { startFollowing, withoutBlocked } from './enrollment.blocked.ts';
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
  claims: {
    claim_id: string;
    contact_id: string;
    lease_expires_at: string;
    attempt: number;
    /** Of the rendered instructions, if the caller asked for them. */
    sha256?: string;
  }[];
  /** When to ask again, if the call window is the reason that nothing was claimed. */
  retry_at?: string;
  /** The rendered instructions by contact, in a map, of which JSON leaves out the entries: they are not part of the answer that is
   *  stored for an Idempotency-Key, and a request with a key reads them. */
  texts?: unknown;
}

/** How often a claim looks for other contacts in place of those that it may not hand out. */
const MAX_SELECTS = 10;
/** How many contacts a claim checks in one look, after it has found blocked or skipped ones. */
const MAX_CHECKED = 100;
/** When to ask again if the zones of the contacts, or those that have used all attempts, are still being processed. */
const BUSY_MS = 1_000;

/** Due contacts, with their instructions if these are rendered. */
interface Found extends Omit<Due, 'rows'> {
  readonly rows: readonly { readonly row: DueEnrollment; readonly rendering?: Rendering }[];
  /** Whether some were found that are not handed out: they are blocked or skipped. */
  readonly hasRefused: boolean;
}

/** The contacts to hand out. Without a call window, a maximum of attempts, a live audience and rendering, this is one look at the queue. */
const selectClaimable = async (
  db: Db,
  principal: Principal,
  found: Campaign,
  { limit, renderer, looks }: { limit: number; renderer: Renderer | undefined; looks: { left: number } },
): Promise<Found> => {
  const { workspace } = principal;
  const { id: campaign, call_window, max_attempts, zones_after } = found;
  const window = call_window === null ? undefined : (JSON.parse(call_window) as CallWindow);
  const now = Date.now();
  const queue = { workspace, campaign, now };
  let hasRefused = false;
  for (; looks.left > 0; looks.left--) {
    // Where some are refused, there are often many in a row.
    const most: number = hasRefused ? Math.max(limit, MAX_CHECKED) : limit;
    const due: Due = window
      ? await selectDueInWindow(db, principal, queue, { window, limit: most })
      : await selectDue(db, queue, most).then((rows) => ({ rows, found: rows.length }));
    const left: readonly DueEnrollment[] =
      max_attempts === null
        ? due.rows
        : await withoutExhausted(db, principal, campaign, { rows: due.rows, max: max_attempts });
    const possible: readonly DueEnrollment[] = await withoutSkipped(db, principal, found, left);
    const rows: Found['rows'] = renderer
      ? await withoutBlocked(db, principal, { campaign, renderer, rows: possible })
      : possible.map((row) => ({ row }));
    hasRefused ||= rows.length < left.length;
    // Rows that this transaction has locked would be found again, so a claim of fewer contacts than the limit is possible.
    if (rows.length > 0) return { ...due, rows: rows.slice(0, limit), hasRefused };
    if (due.found === 0)
      return { ...due, rows, hasRefused, ...(zones_after !== null && { retryAt: now + BUSY_MS }) };
  }
  return { rows: [], found: 0, hasRefused, retryAt: now + BUSY_MS };
};

/** Starts the leases of contacts, and stores what they were rendered to. */
const lease = async (
  db: Db,
  principal: Principal,
  { campaign, version, expires_at }: { campaign: string; version: string; expires_at: string },
  due: Found['rows'],
): Promise<ClaimedContacts['claims']> => {
  const key = { workspace: principal.workspace, campaign };
  const claims = due.map(({ row: { contact_id, attempts }, rendering }) => ({
    claim_id: claimId.create(),
    contact_id,
    lease_expires_at: expires_at,
    attempt: attempts + 1,
    ...(rendering && { sha256: rendering.sha256 }),
  }));
  const started = claims.map(({ claim_id, contact_id }, at) => ({
    claim_id,
    contact_id,
    updated_at: timestampAfter(due[at]?.row.updated_at ?? ''),
  }));
  await db.run(startLeases, { ...key, now: timestamp(), expires_at, rows: JSON.stringify(started) });
  const rows = due.map(({ row }) => row);
  await recordAllEnrolled(db, principal, campaign, rows);
  const texts = due.flatMap(({ row: { contact_id }, rendering }) =>
    rendering ? [{ contact_id, sha256: rendering.sha256, version_id: version, text: rendering.text }] : [],
  );
  await storeRenderings(db, principal, texts);
  return claims;
};

/** Hands out due contacts of an active campaign, each under a lease. An expired lease needs no job: its end is the time at
 *  which the contact is due again. */
export const claimContacts = write(
  'claimContacts',
  async (
    db: Db,
    principal: Principal,
    { id, limit = 1, lease_seconds = 300, render = false }: ClaimCreate & { id: string },
  ): Promise<ClaimedContacts> => {
    const campaign = await lockCampaignForClaim(db, principal, id);
    const { agent_id: agent } = campaign;
    // The job that finishes the campaign may be late.
    const status = hasEnded(campaign) ? 'finished' : campaign.status;
    const details = { campaign: { id: campaign.id, status }, agent_id: agent };
    if (status !== 'active') return { ...details, version_id: null, claims: [] };
    const version = await activeVersion(db, principal, { agent });
    if (!version) {
      throw conflict(
        'The agent of this campaign has no deployed version, so no contacts were claimed. Deploy a version, or pause the campaign.',
      );
    }
    const renderer = render ? await rendererOf(db, principal, { agent, version }) : undefined;
    // A contact whose lease expires without a report is due again after the minimum time between attempts.
    const expires_at = leaseEnd(Math.max(lease_seconds, (campaign.min_retry_minutes ?? 0) * 60));
    const leasing = { campaign: campaign.id, version: version.id, expires_at };
    const claims: ClaimedContacts['claims'] = [];
    const texts = new Map<string, string>();
    let due: Found;
    let hasRefused = false;
    const looks = { left: MAX_SELECTS };
    do {
      due = await selectClaimable(db, principal, campaign, { limit: limit - claims.length, renderer, looks });
      if (due.rows.length > 0) claims.push(...(await lease(db, principal, leasing, due.rows)));
      for (const { row, rendering } of due.rows) if (rendering) texts.set(row.contact_id, rendering.text);
      hasRefused ||= due.hasRefused;
      // Others in place of those that were refused.
    } while (due.hasRefused && due.rows.length > 0 && claims.length < limit);
    if (hasRefused) await startFollowing(db, campaign);
    if (claims.length === 0) {
      const retry_at = due.retryAt === undefined ? undefined : new Date(due.retryAt).toISOString();
      return { ...details, version_id: null, claims, ...(retry_at && { retry_at }) };
    }
    const [subject] = claims.length === 1 ? claims.map(({ contact_id }) => contact_id) : [];
    const counts = { claimed: claims.length };
    change(db, principal, { action: 'enrollment.claimed', subject, parent: campaign.id, counts });
    return { ...details, version_id: version.id, claims, ...(renderer && { texts }) };
  },
);

/** The instructions of claims, by contact. */
const renderedTexts = async (
  db: Db,
  { workspace }: Principal,
  { claims, texts }: ClaimedContacts,
): Promise<Map<string, string>> => {
  if (texts instanceof Map) return texts;
  const keys = claims.flatMap(({ contact_id, sha256 }) => (sha256 ? [{ contact_id, sha256 }] : []));
  const found = keys.length > 0 ? await db.all(findTexts, { workspace, rows: JSON.stringify(keys) }) : [];
  return new Map(found.map(({ contact_id, text }) => [contact_id, text]));
};

/** The claims with the current fields of their contacts, as JSON. Those of a retry may be old: a contact that was deleted meanwhile
 *  is left out, because its enrollment no longer exists, and so is one whose lease has ended, because another caller may have it. */
export const describeClaims = read(
  'describeClaims',
  async (db: Db, principal: Principal, claimed: ClaimedContacts): Promise<string> => {
    const { workspace } = principal;
    const { campaign, agent_id, version_id } = claimed;
    const ids = claimed.claims.map(({ contact_id }) => contact_id);
    const [agent, version, contacts, texts] = await Promise.all([
      db.get(findAgentName, { workspace, id: agent_id }),
      version_id === null ? null : db.get(findVersionText, { workspace, version: version_id }),
      contactsById(db, principal, ids),
      renderedTexts(db, principal, claimed),
    ]);
    const now = timestamp();
    const claims = claimed.claims.flatMap(({ contact_id, sha256, ...claim }) => {
      const contact = contacts.get(contact_id);
      if (contact === undefined || claim.lease_expires_at <= now) return [];
      if (sha256 === undefined) return [withMember(JSON.stringify(claim), 'contact', contact)];
      const instructions = texts.get(contact_id);
      if (instructions === undefined || !version) return [];
      const { id, version_label } = version;
      const rendered = { ...claim, version: { id, version_label }, instructions, sha256 };
      return [withMember(JSON.stringify(rendered), 'contact', contact)];
    });
    const details = { campaign, agent: { id: agent_id, name: agent?.name ?? '' }, version };
    return withMember(JSON.stringify(details), 'claims', `[${claims.join(',')}]`);
  },
);
