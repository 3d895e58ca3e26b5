import { prefixEnd } from '../../db/counters.ts';
import { longRead } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { invalidField } from '../../lib/errors.ts';
import { parseUuid } from '../../lib/ids.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import { channelId } from '../channels/channel.service.ts';
import { findChannelNames } from '../channels/channel.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { versionNames } from './call-list.service.ts';
import { MAX_OUTCOME_DAYS, type OutcomeQuery } from './outcome.schema.ts';
import * as store from './outcome.store.ts';

const DEFAULT_DAYS = 30;

/** Keys are a caller's, so they are in maps. */
interface Sums {
  readonly dispositions: Map<string, number>;
  readonly goals: Map<string, { reached: number; missed: number }>;
}

const newSums = (): Sums => ({ dispositions: new Map(), goals: new Map() });

const sumsOf = ({ dispositions, goals }: Sums) => ({
  dispositions: Object.fromEntries([...dispositions].sort()),
  goals: Object.fromEntries([...goals].sort(([one], [other]) => (one < other ? -1 : 1))),
});

const addTo = (sums: Sums, { outcome, count }: { outcome: string; count: number }): void => {
  const [kind = '', key = ''] = outcome.split(':');
  const by = Number(count);
  if (kind === 'disposition') {
    sums.dispositions.set(key, (sums.dispositions.get(key) ?? 0) + by);
    return;
  }
  const goal = sums.goals.get(key) ?? { reached: 0, missed: 0 };
  goal[kind === 'goal+' ? 'reached' : 'missed'] += by;
  sums.goals.set(key, goal);
};

const groupsOf = <R extends { outcome: string; count: number }>(
  rows: readonly R[],
  keyOf: (row: R) => string,
): Map<string, Sums> => {
  const groups = new Map<string, Sums>();
  for (const row of rows) {
    const sums = groups.get(keyOf(row)) ?? newSums();
    groups.set(keyOf(row), sums);
    addTo(sums, row);
  }
  return groups;
};

/** The days of a period. Counters of earlier days have expired, so a sum of them would be wrong. */
const daysOf = (zone: string, { since, before }: Pick<OutcomeQuery, 'since' | 'before'>): string[] => {
  const today = localDay(zone, Date.now());
  const earliest = addDays(today, 1 - MAX_OUTCOME_DAYS);
  const end = before ?? addDays(today, 1);
  const usual = addDays(end, -DEFAULT_DAYS);
  const first = since ?? (usual < earliest ? earliest : usual);
  if (first < earliest || first > today)
    throw invalidField(
      'since',
      `must be a day from ${earliest} to ${today}: outcomes are counted for ${MAX_OUTCOME_DAYS} days.`,
    );
  if (end <= first) throw invalidField('before', `must be after the first day of the period, ${first}.`);
  const last = end > addDays(today, 1) ? addDays(today, 1) : end;
  const days: string[] = [];
  for (let day = first; day < last; day = addDays(day, 1)) days.push(day);
  return days;
};

const rangeOf = (
  { workspace }: Principal,
  zone: string,
  days: readonly string[],
  { version_id = '', channel_id = '', agent_id = '' }: OutcomeQuery,
) => {
  const [first = '', last = first] = [days[0], days.at(-1)];
  const hourAt = (day: string) => store.hourOf(new Date(startOfDay(zone, day) + 3_599_999).toISOString());
  const version = version_id === '' ? '' : `${parseUuid(version_id) ?? version_id}/`;
  const from = `${store.OUTCOMES}${version}`;
  return {
    workspace,
    from,
    end: prefixEnd(from),
    channel: channelId.parse(channel_id) ?? channel_id,
    agent: parseUuid(agent_id) ?? agent_id,
    since: hourAt(first),
    before: hourAt(addDays(last, 1)),
  };
};

/** Dispositions and goals by day, version and channel, from counters. */
export const getOutcomes = longRead('getOutcomes', async (db, principal: Principal, query: OutcomeQuery) => {
  const { workspace } = principal;
  const zone = await timeZoneOf(db, principal);
  const days = daysOf(zone, query);
  const range = rangeOf(principal, zone, days, query);
  const byHour = await db.all(store.countByHour, range);
  const byPair = await db.all(store.countByPair, range);
  const ofDays = groupsOf(byHour, ({ hour }) => localDay(zone, Date.parse(`${hour}:00:00Z`)));
  const versions = groupsOf(byPair, ({ version_id }) => version_id);
  const channels = groupsOf(byPair, ({ channel_id }) => channel_id);
  const names = await versionNames(db, workspace, versions.keys());
  const keys = JSON.stringify([...channels.keys()]);
  const channelNames = new Map(
    (await db.all(findChannelNames, { workspace, keys })).map(({ id, name }) => [id, name]),
  );
  const total = newSums();
  for (const row of byPair) addTo(total, row);
  return {
    time_zone: zone,
    days: days.map((day) => ({ day, ...sumsOf(ofDays.get(day) ?? newSums()) })),
    versions: [...versions].map(([id, sums]) => {
      const named = names.get(id);
      return {
        version_id: id === store.NO_VERSION ? null : id,
        version_label: named ? `v${named.number}` : null,
        agent_id: named?.agent_id ?? null,
        ...sumsOf(sums),
      };
    }),
    channels: [...channels].map(([channel_id, sums]) => ({
      channel_id,
      channel_name: channelNames.get(channel_id) ?? null,
      ...sumsOf(sums),
    })),
    ...sumsOf(total),
  };
});

/** Deletes hourly counters that are too old for any outcomes. */
export const expireOutcomes = expiring('expireOutcomes', store.deleteOutcomesBefore);
