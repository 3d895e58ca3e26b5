import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { countActiveAgents, recentDeploys } from '../agents/deploy.history.ts';
import { dayCounter as callsOfDay, countCalls } from '../calls/call.service.ts';
import { countCampaigns } from '../campaigns/campaign.service.ts';
import { countChannels } from '../channels/channel.service.ts';
import { dayCounter as contactsOfDay } from '../contacts/contact.derived.ts';
import { sources } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { listRecentImports } from './figures.store.ts';

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;
const MAX_RECENT = 10;

const lastDays = (days: number): string[] => {
  const today = Date.parse(timestamp().slice(0, 10));
  return Array.from({ length: days }, (_, at) =>
    new Date(today - (days - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  );
};

const daily = async (db: Db, { workspace }: Principal, count: number) => {
  const days = lastDays(count);
  const lists = days.flatMap((day) => [
    callsOfDay(day),
    ...sources.map((source) => contactsOfDay(day, source)),
  ]);
  const totals = await readCounters(db, workspace, ['contacts', 'agents', ...lists]);
  const of = (list: string) => totals.get(list) ?? 0;
  return {
    contacts: of('contacts'),
    agents: of('agents'),
    days: days.map((day) => ({
      day,
      contacts: Object.fromEntries(sources.map((source) => [source, of(contactsOfDay(day, source))])),
      calls: of(callsOfDay(day)),
    })),
  };
};

const recentImports = async (db: Db, { workspace }: Principal) =>
  (await db.all(listRecentImports, { workspace, limit: MAX_RECENT })).map(({ totals, ...rest }) => ({
    ...rest,
    totals: JSON.parse(totals) as Record<string, number>,
  }));

/** The figures of the home page. Totals that grow with use come from counters; only agents, channels and campaigns, of which
 *  there are few, are counted. */
export const getFigures = longRead(
  'getFigures',
  async (db: Db, principal: Principal, { days = DEFAULT_DAYS }: { days?: number }) => {
    const { contacts, agents, days: each } = await daily(db, principal, days);
    const { channels, connected } = await countChannels(db, principal);
    const { campaigns, active } = await countCampaigns(db, principal);
    return {
      contacts,
      calls: await countCalls(db, principal),
      agents,
      active_agents: await countActiveAgents(db, principal),
      channels,
      connected_channels: connected,
      campaigns,
      active_campaigns: active,
      days: each,
      recent_deploys: await recentDeploys(db, principal, { limit: MAX_RECENT, offset: 0 }),
      recent_imports: await recentImports(db, principal),
    };
  },
);
