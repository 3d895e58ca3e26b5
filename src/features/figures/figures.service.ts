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
import { timeZoneOf } from '../workspaces/time-zone.service.ts';
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
}

const MAX_RECENT = 10;

const ALL_STATUSES = JSON.stringify(callStatuses);

interface Period {
  readonly zone: string;
  /** Local days, oldest first. */
  readonly days: readonly string[];
  /** The day at which the period before begins; it is as long. */
  readonly previous: string;
}

const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays(first, at));

const periodOf = (zone: string, { days = DEFAULT_DAYS, from, to }: FiguresQuery): Period => {
  const last = to ?? localDay(zone, Date.now());
  const first = from ?? addDays(last, 1 - days);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return { zone, days: daysFrom(first, count), previous: addDays(first, -count) };
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
  const boundaries = [previous, ...days, end].map((day) => startOfDay(zone, day));
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
    previous: { from: previous, to: addDays(days[0] as string, -1), ...at(0) },
    days: days.map((day, index) => ({ day, ...at(index + 1) })),
  };
};

const recentImports = async (db: Db, { workspace }: Principal) =>
  (await db.all(listRecentImports, { workspace, limit: MAX_RECENT })).map(({ totals, ...rest }) => ({
    ...rest,
    totals: JSON.parse(totals) as Record<string, number>,
  }));

/** The figures of the home page. Totals that grow with use come from counters or ranges of indexes; agents, channels and
 *  campaigns, of which there are few, are counted. */
export const getFigures = longRead(
  'getFigures',
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
