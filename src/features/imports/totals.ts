import { verdicts } from './import.schema.ts';

/** Updates the row counts by verdict and effect, which are stored as JSON. */
export const countChanges = (
  totals: string,
  added: readonly string[],
  removed: readonly (string | null)[] = [],
): string => {
  const counts = JSON.parse(totals) as Record<string, number>;
  const add = (name: string, by: number) => {
    const count = (counts[name] ?? 0) + by;
    if (count === 0) delete counts[name];
    else counts[name] = count;
  };
  for (const name of added) add(name, 1);
  for (const name of removed) if (name !== null) add(name, -1);
  return JSON.stringify(counts);
};

/** Every row has exactly one verdict. */
export const countRows = (totals: Readonly<Record<string, number>>): number =>
  verdicts.reduce((sum, verdict) => sum + (totals[verdict] ?? 0), 0);
