import { readCounters } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { dayCounter } from '../contacts/contact.derived.ts';
import { sources } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { countCreatedContacts } from './figures.store.ts';

const DAY_MS = 86_400_000;

type Counts = Record<string, number>;
type Source = (typeof sources)[number];
export type NewContacts = Record<Source, number>;

const iso = (at: number): string => new Date(at).toISOString();

/** New contacts are counted by UTC day. At a boundary between other days, the contacts between it and the nearest midnight of
 *  UTC are counted in addition: at most those of twelve hours of each day. */
export const readNewContacts = async (
  db: Db,
  { workspace }: Principal,
  boundaries: readonly number[],
): Promise<NewContacts[]> => {
  const midnights = boundaries.map((at) => Math.round(at / DAY_MS) * DAY_MS);
  const first = midnights[0] ?? 0;
  const days = Array.from({ length: ((midnights.at(-1) ?? first) - first) / DAY_MS }, (_, at) =>
    iso(first + at * DAY_MS).slice(0, 10),
  );
  const names = days.flatMap((day) => sources.map((source) => dayCounter(day, source)));
  const counters = await readCounters(db, workspace, names);
  const spans = boundaries.flatMap((at, index) => {
    const midnight = midnights[index] as number;
    return at === midnight ? [] : [[iso(Math.min(at, midnight)), iso(Math.max(at, midnight))] as const];
  });
  const between = new Map<string, Counts>();
  if (spans.length > 0) {
    const args = { workspace, spans: JSON.stringify(Object.fromEntries(spans)) };
    for (const { start, source, count } of await db.all(countCreatedContacts, args)) {
      const counts = between.get(start) ?? {};
      between.set(start, counts);
      counts[source] = Number(count);
    }
  }
  /** The contacts that were created from the first midnight to a boundary. */
  const until = (source: Source): number[] => {
    let sum = 0;
    let at = first;
    return boundaries.map((boundary, index) => {
      const midnight = midnights[index] as number;
      for (; at < midnight; at += DAY_MS) sum += counters.get(dayCounter(iso(at).slice(0, 10), source)) ?? 0;
      const rest = between.get(iso(Math.min(boundary, midnight)))?.[source] ?? 0;
      return boundary === midnight ? sum : boundary > midnight ? sum + rest : sum - rest;
    });
  };
  const bySource = sources.map((source) => [source, until(source)] as const);
  return boundaries
    .slice(1)
    .map(
      (_, index) =>
        Object.fromEntries(
          bySource.map(([source, sums]) => [source, (sums[index + 1] as number) - (sums[index] as number)]),
        ) as NewContacts,
    );
};
