import { longRead } from '../../db/operation.ts';
import { inDays, timestamp } from '../../lib/clock.ts';
import * as s from '../../lib/schemas.ts';
import { findLastClaim } from '../../records/audit.store.ts';
import { isOpenSince } from '../campaigns/claim.queue.ts';
import { countEnrolled } from '../campaigns/enrollment.counts.ts';
import type { UserPrincipal } from '../workspaces/principal.ts';
import * as store from './attention.store.ts';

/** The most urgent first. */
const kinds = [
  ...['webhook.disabled', 'webhook.failing', 'campaign.stuck', 'campaign.blocked', 'key.expiring', 'webhook.old_secret'],
  ...['integration.old_secret', 'channel.old_secret', 'import.planned', 'agent.unconnected'],
]; // biome-ignore format: one list

const at = s.orNull(
  s.dateTime(
    'Since when; until when a key or an old secret is accepted; when a campaign was last claimed from.',
  ),
);
const count = s.orNull(s.count('Blocked contacts of a campaign.'));
export const attentionSchema = s.list(
  s.object('AttentionItem', { kind: s.oneOf(kinds), id: s.string(), name: s.string(), at, count }),
  `At most ${store.MAX_OF_KIND} of each kind, the most urgent kind first.`,
);

/** What someone should look at, of the records that the role of the user may see. A campaign is stuck if contacts have been due for an hour
 *  and may be called, but nobody has claimed one meanwhile. */
export const listAttention = longRead('listAttention', async (db, principal: UserPrincipal) => {
  const { workspace, role } = principal;
  const anHourAgo = inDays(-1 / 24);
  const times = { workspace, now: timestamp(), anHourAgo, tomorrow: inDays(1), nextWeek: inDays(7) };
  const forOwners = role === 'owner' ? await db.all(store.findForOwners, times) : [];
  const forMembers = await db.all(store.findForMembers, times);
  const found: (store.Listed & { count?: number })[] = [...forOwners, ...forMembers];
  const active = await db.all(store.findActiveCampaigns, { workspace, anHourAgo });
  const enrolled = await countEnrolled(
    db,
    workspace,
    active.map(({ id }) => id),
  );
  for (const { id, name, call_window, updated_at, waits } of active) {
    const { blocked: count } = enrolled(id);
    if (count > 0) found.push({ kind: 'campaign.blocked', id, name, at: null, count });
    if (!waits || updated_at > anHourAgo) continue;
    const { at } = (await db.get(findLastClaim, { workspace, campaign: id })) ?? { at: null };
    if (at !== null && at > anHourAgo) continue;
    // A window that has just opened gives dialers an hour, too.
    const queue = { workspace, campaign: id, now: Date.now() };
    if (await isOpenSince(db, principal, queue, Date.parse(anHourAgo), call_window))
      found.push({ kind: 'campaign.stuck', id, name, at });
  }
  const some = kinds.flatMap((kind) =>
    found.filter((each) => each.kind === kind).slice(0, store.MAX_OF_KIND),
  );
  return some.map((each) => ({ count: null, ...each }));
});
