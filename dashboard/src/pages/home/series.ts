import type { Figures } from '../../api/types.gen.ts';

export interface Series {
  readonly id: string;
  readonly label: string;
  /** A color token, so that it follows the theme. */
  readonly color: string;
}

export interface Point {
  readonly day: string;
  readonly values: Readonly<Record<string, number>>;
}

/** In stacking order, from the bottom. */
export const sources: readonly Series[] = [
  { id: 'import', label: 'Import', color: 'var(--chart-1)' },
  { id: 'api', label: 'API', color: 'var(--chart-3)' },
  { id: 'inbound', label: 'Inbound', color: 'var(--chart-2)' },
  { id: 'webhook', label: 'Webhook', color: 'var(--chart-4)' },
  { id: 'manual', label: 'Added manually', color: 'var(--chart-5)' },
];

export const callSeries: readonly Series[] = [
  { id: 'calls', label: 'Calls and messages', color: 'var(--chart-3)' },
];

export const contactPoints = ({ days }: Figures): Point[] =>
  days.map(({ day, contacts }) => ({ day, values: contacts }));

export const callPoints = ({ days }: Figures): Point[] =>
  days.map(({ day, calls }) => ({ day, values: { calls } }));

export const sumOf = (points: readonly Point[], { id }: Series): number =>
  points.reduce((sum, { values }) => sum + (values[id] ?? 0), 0);

const short = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const inTable = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});
const long = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Days are in UTC, independent of the browser's time zone. */
export const shortDay = (day: string): string => short.format(new Date(day));
export const longDay = (day: string): string => long.format(new Date(day));
export const tableDay = (day: string): string => inTable.format(new Date(day));
