import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const FOLDER = join(tmpdir(), 'roster-figures');

export type Figures = Readonly<Record<string, string | number>>;

/** Prints the figures of a proof, and leaves them in a file for docs/reliability.md. */
export const report = (test: TestContext, name: string, figures: Figures): void => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(figures, undefined, 2)}\n`);
  test.diagnostic(`${name}: ${JSON.stringify(figures)}`);
};

/** What an answer and a recovery may take. The full run holds the service to what is promised; a short one, which shares
 *  its machine with other tests, only to an end. */
export interface Limits {
  readonly answeredMs: number;
  readonly recoveredMs: number;
}
export const PROMISED: Limits = { answeredMs: 5_000, recoveredMs: 5_000 };
export const WIDE: Limits = { answeredMs: 60_000, recoveredMs: 60_000 };

export const most = (numbers: readonly number[]): number => Math.round(Math.max(0, ...numbers));

/** The least number that so large a share of the numbers does not exceed. */
export const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) * 10) / 10;
};
