import type { Spread } from './rounds.ts';
import type { FigureName } from './targets.ts';
import { spreadText, targetText, valueText } from './texts.ts';

const began = performance.now();

/** Reports progress on standard error; the table goes to standard output. */
export const say = (text: string): void => {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

/** Reports a figure as soon as it is known. */
export const tell = (name: FigureName, value: Spread): void =>
  say(`${name}: ${valueText(name, value.median)} (${spreadText(name, value)}; ${targetText(name)})`);
