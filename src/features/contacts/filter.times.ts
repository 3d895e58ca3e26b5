import { instantOf, localDay, localTime } from '../../lib/time-zone.ts';

/* Times relative to now: an ISO 8601 duration before or after it, by the calendar of a time zone. */

const DURATION =
  /^P(?=.)(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?(?:T(?=.)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?$/;

const MAX_DAYS = 36_525;

const durationOf = (text: string): Temporal.Duration | undefined =>
  DURATION.test(text) ? Temporal.Duration.from(text) : undefined;

/** Its hours, minutes and seconds. */
const msOf = ({ hours, minutes, seconds }: Temporal.Duration): number =>
  ((hours * 60 + minutes) * 60 + seconds) * 1_000;

/** What is wrong with a duration; one of dates has whole days. */
export const durationProblem = (value: unknown, isOfDates: boolean): string | undefined => {
  const duration = typeof value === 'string' ? durationOf(value) : undefined;
  if (!duration) return 'must be a duration, for example P30D, P2W, P6M or PT12H.';
  const { years, months, weeks, days } = duration;
  const ms = msOf(duration);
  if (isOfDates && ms > 0) return 'must be a duration in days, weeks, months or years, for example P30D.';
  const total = (years * 12 + months) * 30.4375 + weeks * 7 + days + ms / 86_400_000;
  return total > MAX_DAYS ? 'must be at most 100 years.' : undefined;
};

/** Of a month that is shorter, the last day. */
const dayAfter = (day: string, { years, months, weeks, days }: Temporal.Duration, sign: 1 | -1): string => {
  const date = Temporal.PlainDate.from(day);
  const moved = { years, months, weeks, days };
  return (sign === 1 ? date.add(moved) : date.subtract(moved)).toString();
};

const timeAfter = (now: number, zone: string, duration: Temporal.Duration, sign: 1 | -1): number => {
  const ms = sign * msOf(duration);
  const local = localTime(zone, now);
  const day = dayAfter(local.slice(0, 10), duration, sign);
  if (local.startsWith(day)) return now + ms;
  return instantOf(zone, `${day}${local.slice(10)}`) + (now % 1_000) + ms;
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
  const duration = durationOf(text) ?? new Temporal.Duration();
  const sign = isNext ? 1 : -1;
  const at = Date.parse(now);
  const today = localDay(zone, at);
  const [from, to] = isDay
    ? [today, dayAfter(today, duration, sign)]
    : [now, new Date(timeAfter(at, zone, duration, sign)).toISOString()];
  return isNext ? [from, to] : [to, from];
};
