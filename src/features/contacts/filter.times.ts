/* Times relative to now: an ISO 8601 duration before or after it, by the calendar of a time zone. */

const DURATION =
  /^P(?=.)(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,4}W)?(?:\d{1,5}D)?(?:T(?=.)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?$/;

const MAX_DAYS = 36_525;

const durationOf = (text: string): Temporal.Duration | undefined =>
  DURATION.test(text) ? Temporal.Duration.from(text) : undefined;

/** What is wrong with a duration; one of dates has whole days. */
export const durationProblem = (value: unknown, isOfDates: boolean): string | undefined => {
  const duration = typeof value === 'string' ? durationOf(value) : undefined;
  if (!duration) return 'must be a duration, for example P30D, P2W, P6M or PT12H.';
  const { years, months, weeks, days, hours, minutes, seconds } = duration;
  const time = (hours * 60 + minutes) * 60 + seconds;
  if (isOfDates && time > 0) return 'must be a duration in days, weeks, months or years, for example P30D.';
  const total = (years * 12 + months) * 30.4375 + weeks * 7 + days + time / 86_400;
  return total > MAX_DAYS ? 'must be at most 100 years.' : undefined;
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
  const local = Temporal.Instant.from(now).toZonedDateTimeISO(zone);
  const start = isDay ? local.toPlainDate() : local;
  const end = isNext ? start.add(text) : start.subtract(text);
  const [from, to] = [start, end].map((time) =>
    'toInstant' in time ? time.toInstant().toString({ fractionalSecondDigits: 3 }) : time.toString(),
  ) as [string, string];
  return isNext ? [from, to] : [to, from];
};
