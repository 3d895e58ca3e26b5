import { recentDeploys } from '../agents/deploy.service.ts';
import { listOfDay as callsOfDay } from '../calls/call.service.ts';
import { listChannels } from '../channels/channel.service.ts';
import { listOfDay as contactsOfDay } from '../contacts/contact.kept.ts';
import { sources } from '../contacts/contact.schema.ts';
import { timestamp } from '../kernel/clock.ts';
import type { Db } from '../storage/storage.ts';
import { totalsOf } from '../storage/tallies.ts';
import type { Principal } from '../workspaces/principal.ts';

const DAYS = 30;

const lastDays = (): string[] => {
  const today = Date.parse(timestamp().slice(0, 10));
  return Array.from({ length: DAYS }, (_, ago) =>
    new Date(today - (DAYS - 1 - ago) * 86_400_000).toISOString().slice(0, 10),
  );
};

/** The figures of the home page: what there is, what came in the last thirty days, what was deployed last. All of it is
 *  kept, none of it counted. */
export const getFigures = async (db: Db, principal: Principal) => {
  const days = lastDays();
  const lists = days.flatMap((day) => [
    callsOfDay(day),
    ...sources.map((source) => contactsOfDay(day, source)),
  ]);
  const totals = await totalsOf(db, principal.workspace, ['contacts', 'agents', ...lists]);
  const of = (list: string) => totals.get(list) ?? 0;
  const channels = await listChannels(db, principal);
  return {
    contacts: of('contacts'),
    agents: of('agents'),
    channels: channels.length,
    connected_channels: channels.filter(({ agent }) => agent !== null).length,
    days: days.map((day) => ({
      day,
      contacts: Object.fromEntries(sources.map((source) => [source, of(contactsOfDay(day, source))])),
      calls: of(callsOfDay(day)),
    })),
    recent_deploys: await recentDeploys(db, principal),
  };
};
