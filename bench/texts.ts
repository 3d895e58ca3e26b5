import { printProgress } from './progress.ts';
import type { Spread } from './rounds.ts';
import { type FigureName, targetOf } from './targets.ts';

export const rateText = (rate: number): string => Math.round(rate).toLocaleString('en');

export const msText = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

/** A value of a figure in its unit; ratios have none. */
export const valueText = (name: FigureName, value: number): string => {
  const { unit } = targetOf(name);
  return unit ? `${value.toFixed(0)} ${unit}` : value.toFixed(2);
};

export const spreadText = (name: FigureName, { low, high }: Spread): string =>
  `${valueText(name, low)} – ${valueText(name, high)}`;

/** The target of a figure. */
export const targetText = (name: FigureName): string => {
  const { atLeast, atMost, goal } = targetOf(name);
  const bound = atLeast === undefined ? `≤ ${valueText(name, atMost ?? 0)}` : `≥ ${valueText(name, atLeast)}`;
  return goal === undefined ? bound : `${bound}, aim ${valueText(name, goal)}`;
};

/** Prints a figure as soon as it is measured. */
export const printFigure = (name: FigureName, value: Spread): void =>
  printProgress(
    `${name}: ${valueText(name, value.median)} (${spreadText(name, value)}; ${targetText(name)})`,
  );
