import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import { countActiveAgents, recentDeploys } from '../agents/deploy.history.ts';
import { type CallStatus, callStatuses } from '../calls/call.schema.ts';
import { countCalls } from '../calls/call.service.ts';
import { countStatuses } from '../calls/call-list.store.ts';
import { countCampaigns } from '../campaigns/campaign.service.ts';
import { countChannels } from '../channels/channel.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { listRecentImports } from './figures.store.ts';
import { type NewContacts, readNewContacts } from './new-contacts.ts';

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;
export const DAY_MS = 86_400_000;

export interface FiguresQuery {
  days?: number;
  /** The first and the last local day, instead of `days`. */
  from?: string | undefined;
  to?: string | undefined;
  /** A calendar month: this one up to today, or the last one. */
  month?: (typeof figureMonths)[number];
}

export const figureMonths = ['this', 'last'] as const;

const MAX_RECENT = 10;

const ALL_STATUSES = JSON.stringify(callStatuses);

interface Period {
  readonly zone: string;
  /** Local days, oldest first. */
  readonly days: readonly string[];
  /** The first and the last day of the period to compare with. */
  readonly previous: { readonly from: string; readonly to: string };
}

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays(first, at));

const countDays = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** A month is compared with the month before; this month, with as many of its days. */
const monthOf = (zone: string, month: NonNullable<FiguresQuery['month']>): Period => {
  const today = localDay(zone, Date.now());
  const last = month === 'this' ? today : addDays(firstOfMonth(today), -1);
  const first = firstOfMonth(last);
  const count = countDays(first, last);
  const end = addDays(first, -1);
  const from = firstOfMonth(end);
  const sameDay = addDays(from, count - 1);
  return {
    zone,
    days: daysFrom(first, count),
    previous: { from, to: month === 'this' && sameDay < end ? sameDay : end },
  };
};

const periodOf = (zone: string, { days = DEFAULT_DAYS, from, to, month }: FiguresQuery): Period => {
  if (month) return monthOf(zone, month);
  const last = to ?? localDay(zone, Date.now());
  const first = from ?? addDays(last, 1 - days);
  const count = countDays(first, last);
  return {
    zone,
    days: daysFrom(first, count),
    previous: { from: addDays(first, -count), to: addDays(first, -1) },
  };
};

type Statuses = Partial<Record<CallStatus, number>>;

/** The statuses of the calls between each boundary and the next. */
const readStatuses = async (
  db: Db,
  { workspace }: Principal,
  boundaries: readonly number[],
): Promise<Statuses[]> => {
  const times = boundaries.map((at) => new Date(at).toISOString());
  const spans = Object.fromEntries(times.slice(1).map((end, at) => [times[at] as string, end]));
  const args = { workspace, spans: JSON.stringify(spans), statuses: ALL_STATUSES };
  const found = Map.groupBy(await db.all(countStatuses, args), ({ day }) => day);
  return times
    .slice(0, -1)
    .map((start) =>
      Object.fromEntries(
        (found.get(start) ?? [])
          .filter(({ count }) => Number(count) > 0)
          .map(({ status, count }) => [status, Number(count)]),
      ),
    );
};

const sumOf = (statuses: Statuses): number => Object.values(statuses).reduce((sum, count) => sum + count, 0);

const daily = async (db: Db, principal: Principal, query: FiguresQuery) => {
  const { zone, days, previous } = periodOf(await timeZoneOf(db, principal), query);
  const end = addDays(days.at(-1) as string, 1);
  // Days between the two periods are read and ignored.
  const before = [previous.from, addDays(previous.to, 1)].filter((day) => day !== days[0]);
  const boundaries = [...before, ...days, end].map((day) => startOfDay(zone, day));
  const contacts = await readNewContacts(db, principal, boundaries);
  const statuses = await readStatuses(db, principal, boundaries);
  const at = (index: number) => ({
    contacts: contacts[index] as NewContacts,
    calls: sumOf(statuses[index] as Statuses),
    statuses: statuses[index] as Statuses,
  });
  return {
    time_zone: zone,
    from: days[0] as string,
    to: days.at(-1) as string,
    previous: { ...previous, ...at(0) },
    days: days.map((day, index) => ({ day, ...at(index + before.length) })),
  };
};

const recentImports = async (db: Db, { workspace }: Principal) =>
  (await db.all(listRecentImports, { workspace, limit: MAX_RECENT })).map(({ totals, ...rest }) => ({
    ...rest,
    totals: JSON.parse(totals) as Record<string, number>,
  }));

/** The figures of the home page. Totals that grow with use come from counters or ranges of indexes; agents, channels and
 *  campaigns, of which there are few, are counted. */
export const getHomeFigures = longRead(
  'getHomeFigures',
  async (db: Db, principal: Principal, query: FiguresQuery) => {
    const totals = await readCounters(db, principal.workspace, ['contacts', 'agents']);
    const { channels, connected } = await countChannels(db, principal);
    const { campaigns, active } = await countCampaigns(db, principal);
    return {
      contacts: totals.get('contacts') ?? 0,
      calls: await countCalls(db, principal),
      agents: totals.get('agents') ?? 0,
      active_agents: await countActiveAgents(db, principal),
      channels,
      connected_channels: connected,
      campaigns,
      active_campaigns: active,
      ...(await daily(db, principal, query)),
      recent_deploys: await recentDeploys(db, principal, { limit: MAX_RECENT, offset: 0 }),
      recent_imports: await recentImports(db, principal),
    };
  },
);
