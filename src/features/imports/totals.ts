import { type Effect, verdicts } from './import.schema.ts';

/** How many rows have each verdict and each effect, as JSON: brought up to date with what came and what went. */
export const countChanges = (
  totals: string,
  come: readonly string[],
  gone: readonly (string | null)[] = [],
): string => {
  const counts = JSON.parse(totals) as Record<string, number>;
  const add = (name: string, by: number) => {
    const count = (counts[name] ?? 0) + by;
    if (count === 0) delete counts[name];
    else counts[name] = count;
  };
  for (const name of come) add(name, 1);
  for (const name of gone) if (name !== null) add(name, -1);
  return JSON.stringify(counts);
};

/** How many rows there are: each has one verdict. */
export const countRows = (totals: Readonly<Record<string, number>>): number =>
  verdicts.reduce((sum, verdict) => sum + (totals[verdict] ?? 0), 0);

/** How many rows have had each of some effects. */
export const countEffects = (totals: string, effects: readonly Effect[]): Record<string, number> => {
  const counts = JSON.parse(totals) as Record<string, number>;
  return Object.fromEntries(effects.flatMap((effect) => (counts[effect] ? [[effect, counts[effect]]] : [])));
};
