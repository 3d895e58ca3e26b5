import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { change } from '../../records/change.ts';
import { findVersionText } from '../agents/agent.store.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { type Renderer, type Rendering, rendererOf } from '../agents/render.service.ts';
import { storedTexts, storeRenderings } from '../agents/rendering.service.ts';
import { contactsById } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { withoutSkipped } from './audience.service.ts';
import type { CallWindow } from './call-window.ts';
import type { CampaignStatus, ClaimCreate } from './campaign.schema.ts';
import { hasEnded, lockCampaignForClaim } from './campaign.service.ts';
import { type Campaign, findAgentName } from './campaign.store.ts';
import { type Due, selectDue, selectDueInWindow, withoutExhausted } from './claim.queue.ts';
import { startFollowing, withoutBlocked } from './enrollment.blocked.ts';
import { recordAllEnrolled } from './enrollment.events.ts';
import { leaseEnd } from './enrollment.service.ts';
import { type EnrollmentState, startLeases } from './enrollment.store.ts';

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

/** A due contact, with its instructions if these are rendered. */
type Claimable = EnrollmentState & { readonly rendering?: Rendering };

/** Starts the leases of contacts. */
const lease = async (
  db: Db,
  principal: Principal,
  { campaign, expires_at }: { campaign: string; expires_at: string },
  due: readonly Claimable[],
): Promise<ClaimedContacts['claims']> => {
  if (due.length === 0) return [];
  const claims = due.map(({ contact_id, attempts, rendering }) => ({
    claim_id: claimId.create(),
    contact_id,
    lease_expires_at: expires_at,
    attempt: attempts + 1,
    ...(rendering && { sha256: rendering.sha256 }),
  }));
  const started = claims.map(({ claim_id, contact_id }, at) => ({
    claim_id,
    contact_id,
    updated_at: timestampAfter(due[at]?.updated_at ?? ''),
  }));
  const key = { workspace: principal.workspace, campaign };
  await db.run(startLeases, { ...key, now: timestamp(), expires_at, rows: JSON.stringify(started) });
  await recordAllEnrolled(db, principal, campaign, due);
  return claims;
};

interface Claiming {
  readonly limit: number;
  readonly expires_at: string;
  readonly renderer: Renderer | undefined;
}

/** Starts the leases of due contacts. Without a call window, a maximum of attempts, a live audience and rendering, this is one look at the
 *  queue. */
const claimDue = async (db: Db, principal: Principal, campaign: Campaign, claiming: Claiming) => {
  const { limit, expires_at, renderer } = claiming;
  const { id, call_window, max_attempts: max, zones_after } = campaign;
  const window = call_window === null ? undefined : (JSON.parse(call_window) as CallWindow);
  const now = Date.now();
  const queue = { workspace: principal.workspace, campaign: id, now };
  const claims: ClaimedContacts['claims'] = [];
  const handed: Claimable[] = [];
  let hasRefused = false;
  let retryAt: number | undefined = now + BUSY_MS;
  for (let looks = 0; looks < MAX_SELECTS; looks++) {
    const wanted: number = limit - claims.length;
    // Where some are refused, there are often many in a row.
    const most: number = hasRefused ? Math.max(wanted, MAX_CHECKED) : wanted;
    const due: Due = window
      ? await selectDueInWindow(db, principal, queue, { window, limit: most })
      : await selectDue(db, queue, most).then((rows) => ({ rows, found: rows.length }));
    const left = max === null ? due.rows : await withoutExhausted(db, principal, id, { rows: due.rows, max });
    const possible = await withoutSkipped(db, principal, campaign, left);
    const rows: readonly Claimable[] = renderer
      ? await withoutBlocked(db, principal, { campaign: id, renderer, rows: possible })
      : possible;
    hasRefused ||= rows.length < left.length;
    const next = rows.slice(0, wanted);
    claims.push(...(await lease(db, principal, { campaign: id, expires_at }, next)));
    handed.push(...next);
    // Others in place of those that were refused. Without any, a claim of fewer contacts than the limit is possible.
    const isLast = rows.length > 0 ? !hasRefused || claims.length === limit : due.found === 0;
    if (!isLast) continue;
    retryAt = zones_after === null ? due.retryAt : now + BUSY_MS;
    break;
  }
  return { claims, handed, hasRefused, retryAt };
};

/** Hands out due contacts of an active campaign, each under a lease. An expired lease needs no job: its end is the time at
 *  which the contact is due again. */
export const claimContacts = write(
  'claimContacts',
  async (
    db,
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
    const found = await claimDue(db, principal, campaign, { limit, expires_at, renderer });
    const { claims, retryAt } = found;
    const version_id = version.id;
    const renderings = found.handed.flatMap(({ contact_id, rendering }) =>
      rendering ? [{ contact_id, version_id, sha256: rendering.sha256, values: rendering.values }] : [],
    );
    // All together, because they are locked in the order of their contacts.
    await storeRenderings(db, principal, renderings);
    if (found.hasRefused) await startFollowing(db, campaign);
    if (claims.length === 0) {
      const retry_at = retryAt === undefined ? undefined : new Date(retryAt).toISOString();
      return { ...details, version_id: null, claims, ...(retry_at && { retry_at }) };
    }
    const [subject] = claims.length === 1 ? claims.map(({ contact_id }) => contact_id) : [];
    const counts = { claimed: claims.length };
    change(db, principal, { action: 'enrollment.claimed', subject, parent: campaign.id, counts });
    const texts = new Map(found.handed.map(({ contact_id, rendering }) => [contact_id, rendering?.text]));
    return { ...details, version_id, claims, ...(renderer && { texts }) };
  },
);

/** The rendered instructions of claims, by contact. */
const textsOf = (
  db: Db,
  principal: Principal,
  { claims, texts }: ClaimedContacts,
): MaybePromise<ReadonlyMap<string, string>> =>
  texts instanceof Map
    ? texts
    : storedTexts(
        db,
        principal,
        claims.flatMap(({ contact_id, sha256 }) => (sha256 ? [{ contact_id, sha256 }] : [])),
      );

/** The claims with the current fields of their contacts, as JSON. Those of a retry may be old: a contact that was deleted meanwhile
 *  is left out, because its enrollment no longer exists, and so is one whose lease has ended, because another caller may have it. */
export const describeClaims = read(
  'describeClaims',
  async (
    db,
    principal: Principal,
    { render = false, ...claimed }: ClaimedContacts & Pick<ClaimCreate, 'render'>,
  ): Promise<string> => {
    const { workspace } = principal;
    const { campaign, agent_id, version_id } = claimed;
    const ids = claimed.claims.map(({ contact_id }) => contact_id);
    const [agent, version, contacts, texts] = await Promise.all([
      db.get(findAgentName, { workspace, id: agent_id }),
      version_id === null ? null : db.get(findVersionText, { workspace, version: version_id }),
      contactsById(db, principal, ids),
      textsOf(db, principal, claimed),
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
    const shown = version && pickColumns(version, ['id', 'version_label', 'instructions']);
    const details = { campaign, agent: { id: agent_id, name: agent?.name ?? '' }, version: shown };
    const json = withMember(JSON.stringify(details), 'claims', `[${claims.join(',')}]`);
    return render ? withMember(json, 'config', version?.config ?? 'null') : json;
  },
);
