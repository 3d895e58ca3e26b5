import { printProgress } from './progress.ts';
import type { Spread } from './rounds.ts';
import type { FigureName } from './targets.ts';
import { spreadText, targetText, valueText } from './texts.ts';

/** Prints a figure as soon as it is measured. */
export const printFigure = (name: FigureName, value: Spread): void =>
  printProgress(
    `${name}: ${valueText(name, value.median)} (${spreadText(name, value)}; ${targetText(name)})`,
  );
