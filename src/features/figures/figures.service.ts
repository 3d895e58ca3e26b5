import { countersInRange } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import { type CallStatus, callStatuses } from '../calls/call.schema.ts';
import { dayCounter } from '../contacts/contact.derived.ts';
import { type Source, sources } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { DEFAULT_DAYS, type FiguresQuery } from './figures.schema.ts';
import * as store from './figures.store.ts';

interface Period {
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
  const to = month === 'this' && sameDay < end ? sameDay : end;
  return { days: daysFrom(first, count), previous: { from, to } };
};

const periodOf = (zone: string, { days = DEFAULT_DAYS, from, to, month }: FiguresQuery): Period => {
  if (month) return monthOf(zone, month);
  const last = to ?? localDay(zone, Date.now());
  const first = from ?? addDays(last, 1 - days);
  const count = countDays(first, last);
  const previous = { from: addDays(first, -count), to: addDays(first, -1) };
  return { days: daysFrom(first, count), previous };
};

/* What happened between each of some instants and the next. */

const iso = (at: number): string => new Date(at).toISOString();

type Statuses = Partial<Record<CallStatus, number>>;

const readStatuses = async (db: Db, workspace: number, boundaries: readonly number[]) => {
  const times = boundaries.map(iso);
  const spans = Object.fromEntries(times.slice(1).map((end, at) => [times[at], end]));
  const counts = times.slice(1).map((): Record<string, number> => ({}));
  const args = { workspace, spans: JSON.stringify(spans), statuses: JSON.stringify(callStatuses) };
  for (const row of await db.all(store.countStatuses, args)) {
    const found = counts[times.indexOf(row.start)];
    if (found && Number(row.count) > 0) found[row.name] = Number(row.count);
  }
  return counts;
};

type NewContacts = Record<Source, number>;

/** New contacts are counted by UTC day. At a boundary between other days, the contacts between it and the nearest midnight of
 *  UTC are counted in addition: at most those of twelve hours of each day. */
const readNewContacts = async (db: Db, workspace: number, boundaries: readonly number[]) => {
  const midnights = boundaries.map((at) => Math.round(at / DAY_MS) * DAY_MS);
  const sums = boundaries.map(() => Object.fromEntries(sources.map((source) => [source, 0])) as NewContacts);
  const add = (index: number, source: string, count: number) => {
    const sum = sums[index];
    if (sum) sum[source as Source] += count;
  };
  const [from = '', end = ''] = [midnights[0], midnights.at(-1)].map((at) => dayCounter(iso(at ?? 0)));
  for (const { list, count } of await countersInRange(db, { workspace, from, end })) {
    const [, day = '', source = ''] = list.split(/[@/]/);
    const index = midnights.findLastIndex((at) => at <= Date.parse(day));
    add(index, source, Number(count));
  }
  const starts = boundaries.map((at, index) => iso(Math.min(at, midnights[index] ?? at)));
  const ends = boundaries.map((at, index) => iso(Math.max(at, midnights[index] ?? at)));
  const spans = starts.flatMap((start, index) => (start === ends[index] ? [] : [[start, ends[index]]]));
  if (spans.length === 0) return sums.slice(0, -1);
  const args = { workspace, spans: JSON.stringify(Object.fromEntries(spans)) };
  for (const { start, name, count } of await db.all(store.countCreatedContacts, args)) {
    const index = starts.indexOf(start);
    // After its midnight, these contacts belong to the span before the boundary.
    const moved = start === iso(midnights[index] ?? 0) ? Number(count) : -Number(count);
    add(index - 1, name, moved);
    add(index, name, -moved);
  }
  return sums.slice(0, -1);
};

const sumOf = (statuses: Statuses): number => Object.values(statuses).reduce((sum, count) => sum + count, 0);

const daily = async (db: Db, principal: Principal, query: FiguresQuery) => {
  const zone = await timeZoneOf(db, principal);
  const { days, previous } = periodOf(zone, query);
  const end = addDays(days.at(-1) as string, 1);
  // Days between the two periods are read and ignored.
  const before = [previous.from, addDays(previous.to, 1)].filter((day) => day !== days[0]);
  const boundaries = [...before, ...days, end].map((day) => startOfDay(zone, day));
  const contacts = await readNewContacts(db, principal.workspace, boundaries);
  const statuses = await readStatuses(db, principal.workspace, boundaries);
  const at = (index: number) => ({
    contacts: contacts[index] as NewContacts,
    calls: sumOf(statuses[index] as Statuses),
    statuses: statuses[index] as Statuses,
  });
  const [since, until] = [boundaries[before.length], boundaries.at(-1)].map((each) => iso(each as number));
  const period = { workspace: principal.workspace, since: since as string, before: until as string };
  return {
    time_zone: zone,
    from: days[0] as string,
    to: days.at(-1) as string,
    previous: { ...previous, ...at(0) },
    days: days.map((day, index) => ({ day, ...at(index + before.length) })),
    agents_by_calls: await db.all(store.countByAgent, period),
    channels_by_calls: await db.all(store.countByChannel, period),
  };
};

/** The figures of the home page. */
export const getHomeFigures = longRead(
  'getHomeFigures',
  async (db, principal: Principal, query: FiguresQuery) => {
    const totals = await db.get(store.countRecords, { workspace: principal.workspace });
    return { ...(totals as store.Totals), ...(await daily(db, principal, query)) };
  },
);
