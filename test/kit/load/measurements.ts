import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const FOLDER = join(tmpdir(), 'roster-figures');

export type Measurements = Readonly<Record<string, string | number>>;

/** Writes the measurements of a proof to a file for docs/reliability.md. */
export const saveMeasurements = (name: string, measurements: Readonly<Record<string, unknown>>): void => {
  mkdirSync(FOLDER, { recursive: true });
  const saved = { name, at: new Date().toISOString(), ...measurements };
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(saved, undefined, 2)}\n`);
};

/** Saves the measurements of a proof and prints them. */
export const report = (test: TestContext, name: string, measurements: Measurements): void => {
  saveMeasurements(name, measurements);
  test.diagnostic(`${name}: ${JSON.stringify(measurements)}`);
};

/** Limits for responses and recovery. The long suites check the promised limits. The short ones share the machine with
 *  other tests and only check that the service recovers. */
export interface Limits {
  readonly responseMs: number;
  readonly recoveryMs: number;
}
export const PROMISED: Limits = { responseMs: 5_000, recoveryMs: 5_000 };
export const RELAXED: Limits = { responseMs: 60_000, recoveryMs: 60_000 };

export const roundedMax = (numbers: readonly number[]): number => Math.round(Math.max(0, ...numbers));

/** The smallest of the numbers that at least the given share of them does not exceed. */
export const quantile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) * 10) / 10;
};
