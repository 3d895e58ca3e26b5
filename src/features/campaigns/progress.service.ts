import { sql } from 'kysely';
import { countersInRange, prefixEnd } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { Expired } from '../../db/rows.ts';
import { derivedStatement } from '../../db/statement.ts';
import { expiring } from '../../jobs/expiry.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import { findLastClaim } from '../../records/audit.store.ts';
import { findKeyById } from '../workspaces/key.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { MAX_PROGRESS_DAYS, type ProgressKind, type ProgressQuery } from './campaign.schema.ts';
import { findCampaign } from './campaign.service.ts';
import { nextWindow } from './claim.queue.ts';
import { countResults, hourOf, progressPrefix } from './enrollment.counts.ts';

const none: Record<ProgressKind, number> = { enrolled: 0, claimed: 0, completed: 0, failed: 0 };

/** Known for as long as the audit log is kept. */
const lastClaim = async (db: Db, { workspace }: Principal, campaign: string) => {
  const claim = await db.get(findLastClaim, { workspace, campaign });
  const key = claim && (await db.get(findKeyById, { workspace, id: claim.actor }));
  return claim ? { at: claim.at, key_name: key?.name ?? null } : null;
};

/** What happened in a campaign on each of the last days, in the time zone of the workspace. An hour counts for the day in which it
 *  begins. */
export const getCampaignProgress = longRead(
  'getCampaignProgress',
  async (db, principal: Principal, { id, days = 30 }: ProgressQuery & { id: string }) => {
    const { workspace } = principal;
    const campaign = await findCampaign(db, principal, id);
    const time_zone = await timeZoneOf(db, principal);
    const today = localDay(time_zone, Date.now());
    const first = addDays(today, 1 - days);
    const shown = Array.from({ length: days }, (_, at) => ({ day: addDays(first, at), ...none }));
    const byDay = new Map(shown.map((each) => [each.day, each]));
    const prefix = progressPrefix(campaign.id);
    const from = hourOf(new Date(startOfDay(time_zone, first)).toISOString());
    const found = await countersInRange(db, { workspace, from: prefix + from, end: prefixEnd(prefix) });
    for (const { list, count } of found) {
      const [hour = '', kind = ''] = list.slice(prefix.length).split('/');
      const day = byDay.get(localDay(time_zone, Date.parse(`${hour}:00:00Z`)));
      if (day && kind in none) day[kind as ProgressKind] += count;
    }
    const queue = { workspace, campaign: campaign.id, now: Date.now() };
    const opens = await nextWindow(db, principal, queue, campaign.call_window);
    return {
      time_zone,
      days: shown,
      ...(await countResults(db, workspace, campaign.id)),
      last_claim: await lastClaim(db, principal, campaign.id),
      window_opens_at: opens === undefined ? null : new Date(opens).toISOString(),
    };
  },
);

/** Longer than the progress that can be read, whose first day begins earlier in some time zones. */
export const PROGRESS_DAYS = MAX_PROGRESS_DAYS + 2;

/** Deletes hourly counters (see enrollment.counts.ts) of all campaigns, each from one index range. */
export const deleteProgressBefore = derivedStatement(
  ({ workspace, before, limit }: Expired) => sql<never>`
    with expired as materialized (
      select tallies.list, tallies.part from campaigns
      join tallies on tallies.workspace_id = ${workspace} and tallies.list >= 'progress@' || campaigns.id || '/'
        and tallies.list < 'progress@' || campaigns.id || '/' || ${before}
      where campaigns.workspace_id = ${workspace} limit ${limit}
    )
    delete from tallies where workspace_id = ${workspace} and (list, part) in (select list, part from expired)`,
);

export const expireProgress = expiring('expireProgress', deleteProgressBefore);
