import { say } from './progress.ts';
import type { Spread } from './rounds.ts';
import type { FigureName } from './targets.ts';
import { spreadText, targetText, valueText } from './texts.ts';

/** Reports a figure as soon as it is measured. */
export const sayFigure = (name: FigureName, value: Spread): void =>
  say(`${name}: ${valueText(name, value.median)} (${spreadText(name, value)}; ${targetText(name)})`);
