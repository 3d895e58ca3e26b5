import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from './settings.ts';
import type { FigureName } from './targets.ts';

/** A run of the benchmark: its settings, what it measures, and a temporary folder. */
export interface Run {
  readonly settings: Settings;
  readonly folder: string;
  /** Whether a figure is to be measured: without names all are, otherwise those with one of the names or prefixes. */
  wants(name: FigureName): boolean;
}

export const startRun = (settings: Settings, only: readonly string[] | undefined): Run => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-bench-run-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const wants = (name: FigureName) =>
    only === undefined || only.some((each) => name === each || name.startsWith(`${each}.`));
  return { settings, folder, wants };
};
