import { locale, t } from '../../lib/i18n.ts';
import type { RawSearch } from '../../lib/search-params.ts';

export interface Series {
  readonly id: string;
  readonly label: string;
  /** A color token, so that it follows the theme. */
  readonly color: string;
}

export interface Point {
  /** A day such as `2026-11-01`, or another category. */
  readonly key: string;
  readonly values: Readonly<Record<string, number>>;
}

/** How the categories of a chart are written. */
export interface Labels {
  /** The name of the categories, such as `Day`. */
  readonly header: string;
  readonly axis: (key: string) => string;
  readonly table: (key: string) => string;
  readonly full: (key: string) => string;
}

/** The list behind a bar. */
export interface Target {
  readonly to: string;
  readonly search: RawSearch;
}

export const sumOf = (points: readonly Point[], { id }: Series): number =>
  points.reduce((sum, { values }) => sum + (values[id] ?? 0), 0);

const MAX_INTERVALS = 5;

/** The ticks of an axis of counts from 0 to at least the highest bar: multiples of 1, 2 or 5 times a power of ten. */
export const countTicks = (points: readonly Point[], series: readonly Series[]): number[] => {
  const totals = points.map(({ values }) => series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0));
  const max = Math.max(1, ...totals);
  const power = 10 ** Math.floor(Math.log10(max / MAX_INTERVALS));
  const factor = [1, 2, 5].find((each) => each * power * MAX_INTERVALS >= max) ?? 10;
  const step = Math.max(1, factor * power);
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, at) => at * step);
};

const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  return (day: string): string => format.format(new Date(day));
};

const short = { day: 'numeric', month: 'short' } as const;

/** Days are texts without a time, so they are the same in every time zone. */
export const dayLabels: Labels = {
  header: t('Day'),
  axis: formatter(short),
  table: formatter({ ...short, weekday: 'short' }),
  full: formatter({ ...short, weekday: 'short', year: 'numeric' }),
};

export const dayText = formatter({ ...short, year: 'numeric' });
