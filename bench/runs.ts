import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Figure, targetOf } from './targets.ts';
import { targetText, valueText } from './texts.ts';

/** The medians of the last complete runs, so that one lucky run does not decide. */
const FILE = new URL('../docs/benchmarks/runs.json', import.meta.url);
const MAX_RUNS = 3;

type Medians = Readonly<Record<string, number>>;

/** Adds a run to the stored ones and returns all of them, oldest first. */
export const saveRun = (figures: readonly Figure[]): Medians[] => {
  const previous: Medians[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];
  const medians = Object.fromEntries(
    figures.map(({ name, value }) => [name, Number(value.median.toFixed(3))]),
  );
  const runs = [...previous, medians].slice(-MAX_RUNS);
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`);
  return runs;
};

/** Rows of a table: each figure with its median in every run. */
export const runRows = (figures: readonly Figure[], runs: readonly Medians[]): string[][] =>
  figures.map(({ name }) => [
    targetOf(name).title,
    targetText(name),
    ...runs.map((run) => (run[name] === undefined ? '' : valueText(name, run[name]))),
  ]);
