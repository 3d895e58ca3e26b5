import { addDays, instantOf, localDay, localTime } from '../../lib/time-zone.ts';

/* Times relative to now: an ISO 8601 duration before or after it, by the calendar of a time zone. */

const DURATION =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

interface Duration {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

const MAX_DAYS = 36_525;

const durationOf = (text: string): Duration | undefined => {
  const found = DURATION.exec(text);
  if (!found) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0));
  return {
    months: years * 12 + months,
    days: weeks * 7 + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * 1_000,
  };
};

/** What is wrong with a duration; one of dates has whole days. */
export const durationProblem = (value: unknown, isOfDates: boolean): string | undefined => {
  const duration = typeof value === 'string' ? durationOf(value) : undefined;
  if (!duration) return 'must be a duration, for example P30D, P2W, P6M or PT12H.';
  const { months, days, ms } = duration;
  if (isOfDates && ms > 0) return 'must be a duration in days, weeks, months or years, for example P30D.';
  return months * 30.4375 + days + ms / 86_400_000 > MAX_DAYS ? 'must be at most 100 years.' : undefined;
};

/** The same day of another month, or the last of a shorter one. */
const addMonths = (day: string, months: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  const wanted = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last.getUTCDate())));
  return wanted.toISOString().slice(0, 10);
};

const dayAfter = (day: string, { months, days }: Duration, sign: 1 | -1): string =>
  addDays(addMonths(day, sign * months), sign * days);

const timeAfter = (now: number, zone: string, duration: Duration, sign: 1 | -1): number => {
  const { months, days, ms } = duration;
  if (months === 0 && days === 0) return now + sign * ms;
  const local = localTime(zone, now);
  const day = dayAfter(local.slice(0, 10), duration, sign);
  return instantOf(zone, `${day}${local.slice(10)}`) + (now % 1_000) + sign * ms;
};

export interface Now {
  /** When the request began. */
  readonly now: string;
  readonly zone: string;
}

/** The first and the last day or time within a duration before or after now. */
export const boundsOf = (
  text: string,
  { now, zone }: Now,
  { isDay, isNext }: { isDay: boolean; isNext: boolean },
): [first: string, last: string] => {
  const duration = durationOf(text) ?? { months: 0, days: 0, ms: 0 };
  const sign = isNext ? 1 : -1;
  const at = Date.parse(now);
  const today = localDay(zone, at);
  const [from, to] = isDay
    ? [today, dayAfter(today, duration, sign)]
    : [now, new Date(timeAfter(at, zone, duration, sign)).toISOString()];
  return isNext ? [from, to] : [to, from];
};
