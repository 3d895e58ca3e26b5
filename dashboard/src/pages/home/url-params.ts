import { enumParam, type RawSearch } from '../../lib/search-params.ts';

export interface HomeSearch {
  /** How many days the charts show; 30 has no parameter. */
  readonly days?: '7' | '90' | undefined;
  /** The first and the last day, instead of `days`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A calendar month, instead of `days`. */
  readonly month?: 'this' | 'last' | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;
export const MAX_DAYS = 366;

/** The number of days of a period; undefined unless the service accepts it. */
export const lengthOf = (from: unknown, to: unknown): number | undefined => {
  const [first, last] = [from, to].map((day) =>
    typeof day === 'string' && DAY.test(day) ? Date.parse(day) : Number.NaN,
  ) as [number, number];
  const length = (last - first) / DAY_MS + 1;
  return length >= 1 && length <= MAX_DAYS ? length : undefined;
};

export const parseHomeSearch = (raw: RawSearch): HomeSearch => {
  const month = enumParam(['this', 'last'] as const, raw.month);
  if (month) return { month };
  return lengthOf(raw.from, raw.to) === undefined
    ? { days: enumParam(['7', '90'] as const, raw.days) }
    : { from: String(raw.from), to: String(raw.to) };
};
