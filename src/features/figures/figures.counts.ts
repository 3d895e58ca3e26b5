import { countersInRange } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { type CallStatus, callStatuses } from '../calls/call.schema.ts';
import { dayCounter } from '../contacts/contact.derived.ts';
import { type Source, sources } from '../contacts/contact.schema.ts';
import { countCreatedContacts, countStatuses } from './figures.store.ts';

/* What happened between each of some instants and the next. */

const iso = (at: number): string => new Date(at).toISOString();

export type Statuses = Partial<Record<CallStatus, number>>;

export const readStatuses = async (db: Db, workspace: number, boundaries: readonly number[]) => {
  const times = boundaries.map(iso);
  const spans = Object.fromEntries(times.slice(1).map((end, at) => [times[at], end]));
  const counts = times.slice(1).map((): Record<string, number> => ({}));
  const args = { workspace, spans: JSON.stringify(spans), statuses: JSON.stringify(callStatuses) };
  for (const row of await db.all(countStatuses, args)) {
    const found = counts[times.indexOf(row.start)];
    if (found && Number(row.count) > 0) found[row.name] = Number(row.count);
  }
  return counts;
};

export type NewContacts = Record<Source, number>;

/** New contacts are counted by UTC day. At a boundary between other days, the contacts between it and the nearest midnight of
 *  UTC are counted in addition: at most those of twelve hours of each day. */
export const readNewContacts = async (db: Db, workspace: number, boundaries: readonly number[]) => {
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
  for (const { start, name, count } of await db.all(countCreatedContacts, args)) {
    const index = starts.indexOf(start);
    // After its midnight, these contacts belong to the span before the boundary.
    const moved = start === iso(midnights[index] ?? 0) ? Number(count) : -Number(count);
    add(index - 1, name, moved);
    add(index, name, -moved);
  }
  return sums.slice(0, -1);
};
