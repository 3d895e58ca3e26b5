/* A range of days in an address: a preset such as `7d`, or `2026-11-01..2026-11-09` with either end optional. A preset moves
 * with the calendar, so a saved view of the last 7 days stays current. Days are those of the workspace's time zone. */

export const datePresets = ['today', 'yesterday', '7d', '30d', '90d'] as const;
export type DatePreset = (typeof datePresets)[number];

export const isDatePreset = (value: string): value is DatePreset =>
  datePresets.some((preset) => preset === value);

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The first and the last day of a range, as `2026-11-01`; an open end is empty. Undefined if the text is no range. */
export const daysOf = (value: string): { readonly from: string; readonly to: string } | undefined => {
  const [from = '', to, ...rest] = value.split('..');
  if (to === undefined || rest.length > 0 || (from === '' && to === '')) return undefined;
  return [from, to].every((day) => day === '' || (DAY.test(day) && !Number.isNaN(Date.parse(day))))
    ? { from, to }
    : undefined;
};

export const dateRangeParam = (raw: unknown): string | undefined =>
  typeof raw === 'string' && (isDatePreset(raw) || daysOf(raw)) ? raw : undefined;

export interface TimeRange {
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly before?: string | undefined;
}
