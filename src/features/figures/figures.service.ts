import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { addDays, localDay, startOfDay } from '../../lib/time-zone.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type NewContacts, readNewContacts, readStatuses, type Statuses } from './figures.counts.ts';
import { DEFAULT_DAYS, type FiguresQuery } from './figures.schema.ts';
import { countRecords, type Totals } from './figures.store.ts';

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
  return {
    time_zone: zone,
    from: days[0] as string,
    to: days.at(-1) as string,
    previous: { ...previous, ...at(0) },
    days: days.map((day, index) => ({ day, ...at(index + before.length) })),
  };
};

/** The figures of the home page. */
export const getHomeFigures = longRead(
  'getHomeFigures',
  async (db, principal: Principal, query: FiguresQuery) => {
    const totals = await db.get(countRecords, { workspace: principal.workspace });
    return { ...(totals as Totals), ...(await daily(db, principal, query)) };
  },
);
