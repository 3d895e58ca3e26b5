import { countersInRange, prefixEnd } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import type { ProgressQuery } from './campaign.schema.ts';
import { findCampaign } from './campaign.service.ts';
import { type ProgressKind, progressKinds, progressPrefix } from './progress.counts.ts';

type Day = { day: string } & Record<ProgressKind, number>;

const emptyDay = (day: string): Day => ({ day, enrolled: 0, claimed: 0, completed: 0, failed: 0 });

/** What happened in a campaign on each of the last days, in the time zone of the workspace. An hour counts for the day in which it
 *  begins. */
export const getCampaignProgress = longRead(
  'getCampaignProgress',
  async (db: Db, principal: Principal, { id, days = 30 }: ProgressQuery & { id: string }) => {
    const { workspace } = principal;
    const campaign = await findCampaign(db, principal, id);
    const time_zone = await timeZoneOf(db, principal);
    const today = localDay(time_zone, Date.now());
    const first = addDays(today, 1 - days);
    const each = new Map(
      Array.from({ length: days }, (_, at) => emptyDay(addDays(first, at))).map((day) => [day.day, day]),
    );
    const prefix = progressPrefix(campaign.id);
    const from = new Date(startOfDay(time_zone, first)).toISOString().slice(0, 13);
    const found = await countersInRange(db, workspace, { from: prefix + from, end: prefixEnd(prefix) });
    for (const { list, count } of found) {
      const [hour = '', kind = ''] = list.slice(prefix.length).split('/');
      const day = each.get(localDay(time_zone, Date.parse(`${hour}:00:00Z`)));
      const isKind = (name: string): name is ProgressKind =>
        (progressKinds as readonly string[]).includes(name);
      if (day && isKind(kind)) day[kind] += Number(count);
    }
    return { time_zone, days: [...each.values()] };
  },
);
