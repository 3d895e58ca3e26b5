import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { addDays, localDay, startOfDay, zoneOffset } from '../../lib/time-zone.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type CallStatus, MAX_COUNTED } from './call.schema.ts';
import type { CallFilterQuery } from './call-filter.schema.ts';
import { conditionsOf, searched, versionNames } from './call-list.service.ts';
import { type CallGroup, callGroups, callList, DURATIONS } from './call-list.store.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const MAX_VERSIONS = 50;

const MINUTE = 60_000;

/** How many characters of a time name a slot that is within one local day: an hour, ten minutes, or a minute. */
const slotWidth = (zone: string, days: readonly string[]): number => {
  const minutes = days.map((day) => (zoneOffset(zone, startOfDay(zone, day)) / MINUTE) % 60);
  return minutes.every((each) => each === 0) ? 13 : minutes.every((each) => each % 10 === 0) ? 15 : 16;
};

const SLOT_REST = '0000-00-00T00:00:00.000Z';

const instantOfSlot = (slot: string): number => Date.parse(slot + SLOT_REST.slice(slot.length));

/** The last 30 days by default, and at most 366. It ends with the current day, so the same calls have the same response all day. */
const periodOf = (zone: string, { started_since, started_before }: CallFilterQuery) => {
  const tomorrow = startOfDay(zone, addDays(localDay(zone, Date.now()), 1));
  const before = started_before ? Math.min(Date.parse(started_before), tomorrow) : tomorrow;
  const last = localDay(zone, before - 1);
  const earliest = startOfDay(zone, addDays(last, 1 - MAX_DAYS));
  const since = started_since
    ? Math.max(Date.parse(started_since), earliest)
    : startOfDay(zone, addDays(last, 1 - DEFAULT_DAYS));
  const days: string[] = [];
  for (let day = localDay(zone, since); day <= last; day = addDays(day, 1)) days.push(day);
  const iso = (at: number) => new Date(at).toISOString();
  return { times: { started_since: iso(since), started_before: iso(before) }, days };
};

const emptySum = () => ({
  calls: 0,
  timed_calls: 0,
  seconds: 0,
  statuses: {} as Partial<Record<CallStatus, number>>,
});
type Sum = ReturnType<typeof emptySum>;

const addTo = (sum: Sum, { status, calls, timed, seconds }: CallGroup): void => {
  sum.calls += calls;
  sum.timed_calls += timed;
  sum.seconds += seconds;
  sum.statuses[status] = (sum.statuses[status] ?? 0) + calls;
};

const durationsOf = (groups: readonly CallGroup[], timed: number) => {
  const below = DURATIONS.map((limit) => groups.reduce((sum, group) => sum + group[`below_${limit}`], 0));
  const counts = [...below, timed].map((count, at) => count - (below[at - 1] ?? 0));
  return counts.map((calls, at) => ({ from: DURATIONS[at - 1] ?? 0, below: DURATIONS[at] ?? null, calls }));
};

const versionsOf = async (db: Db, { workspace }: Principal, groups: readonly CallGroup[]) => {
  const sums = new Map<string, Sum>();
  for (const group of groups) {
    if (group.version_id === null) continue;
    const sum = sums.get(group.version_id) ?? emptySum();
    sums.set(group.version_id, sum);
    addTo(sum, group);
  }
  const most = [...sums].toSorted(([, a], [, b]) => b.calls - a.calls).slice(0, MAX_VERSIONS);
  const names = await versionNames(
    db,
    workspace,
    most.map(([id]) => id),
  );
  return most.flatMap(([id, sum]) => {
    const named = names.get(id);
    if (!named) return [];
    const { number, agent_id, agent_name, agent_deleted_at } = named;
    return {
      version_id: id,
      version_label: `v${number}`,
      agent_id,
      agent_name,
      agent_deleted: agent_deleted_at !== null,
      ...sum,
    };
  });
};

/** Calls by status, day, duration and version, in the time zone of the workspace. */
export const getCallStatistics = longRead(
  'getCallStatistics',
  async (db, principal: Principal, query: CallFilterQuery) => {
    const zone = await timeZoneOf(db, principal);
    const { times, days } = periodOf(zone, query);
    const { filters, isCapped } = await searched(db, principal, { ...query, ...times });
    const plan = callList.plan(await conditionsOf(db, principal, filters), '-started_at');
    const groups = await callList.page(db, plan, callGroups, {
      workspace: principal.workspace,
      limit: MAX_COUNTED + 1,
      view: { width: slotWidth(zone, days) },
    });
    const total = emptySum();
    const byDay = new Map<string, Sum>(days.map((day) => [day, emptySum()]));
    let first = days.at(-1) ?? '';
    for (const group of groups) {
      const day = localDay(zone, instantOfSlot(group.slot));
      if (day < first) first = day;
      addTo(total, group);
      const sum = byDay.get(day);
      if (sum) addTo(sum, group);
    }
    const isComplete = total.calls <= MAX_COUNTED && !isCapped;
    const earliest = isCapped ? localDay(zone, Date.parse(filters.started_since ?? '')) : first;
    const counted = [...byDay].filter(([day]) => isComplete || day >= earliest);
    return {
      time_zone: zone,
      ...times,
      is_complete: isComplete,
      ...total,
      days: counted.map(([day, sum]) => ({ day, ...sum })),
      durations: durationsOf(groups, total.timed_calls),
      versions: await versionsOf(db, principal, groups),
    };
  },
);
