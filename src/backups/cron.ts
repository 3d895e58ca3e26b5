import { DAY_MS } from '../lib/clock.ts';

/** A schedule of five fields in UTC: minute, hour, day of the month, month, day of the week. */
export interface Schedule {
  /** The last time at or before this one. */
  previous(at: Date): Date;
  /** The first time after this one. */
  next(at: Date): Date;
}

const MACROS: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

type Field = readonly [min: number, max: number, names?: readonly string[]];
const FIELDS: readonly Field[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12, MONTHS],
  [0, 7, DAYS],
];

const parseNumber = (text: string, [min, max, names = []]: Field): number | undefined => {
  const named = names.indexOf(text.toLowerCase());
  const number = named === -1 ? (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN) : named + min;
  return number >= min && number <= max ? number : undefined;
};

/** The values of one field: `*`, `5`, `1-5`, `*\/15`, `10-40/10`, and lists of these. */
const parseField = (text: string, field: Field): Set<number> | undefined => {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, range = '', step = '1'] = /^([^/]+)(?:\/([1-9]\d?))?$/.exec(part) ?? [];
    const [first = '', last = first] = range.split('-');
    const isAll = range === '*';
    const from = isAll ? field[0] : parseNumber(first, field);
    const to = isAll || (part.includes('/') && !range.includes('-')) ? field[1] : parseNumber(last, field);
    if (from === undefined || to === undefined || from > to || range.split('-').length > 2) return undefined;
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return values;
};

const MINUTE_MS = 60_000;
/** A leap day can be eight years away. */
const MAX_DAYS = 366 * 8 + 2;

/** Undefined if the text is not a schedule, or names a day that does not exist, such as 30 February. */
export const parseSchedule = (text: string): Schedule | undefined => {
  const parts = (MACROS[text.trim()] ?? text).trim().split(/\s+/);
  const fields = parts.map((part, at) => FIELDS[at] && parseField(part, FIELDS[at]));
  const [minutes, hours, days, months, weekdays] = fields;
  if (parts.length !== FIELDS.length || !minutes || !hours || !days || !months || !weekdays) return undefined;
  if (weekdays.has(7)) weekdays.add(0);
  // As in cron: if both days are restricted, one of them is enough.
  const [anyDay, anyWeekday] = [parts[2]?.startsWith('*'), parts[4]?.startsWith('*')];
  const isDay = (at: Date) => {
    const [day, weekday] = [days.has(at.getUTCDate()), weekdays.has(at.getUTCDay())];
    return months.has(at.getUTCMonth() + 1) && (anyDay || anyWeekday ? day && weekday : day || weekday);
  };
  const isTime = (at: Date) => hours.has(at.getUTCHours()) && minutes.has(at.getUTCMinutes());
  /** Moves by minutes within matching days, and by days otherwise. */
  const search = (start: number, direction: 1 | -1): Date | undefined => {
    let at = start;
    const limit = start + direction * MAX_DAYS * DAY_MS;
    while ((limit - at) * direction > 0) {
      const moment = new Date(at);
      if (!isDay(moment)) {
        const midnight = at - (at % DAY_MS);
        at = direction === 1 ? midnight + DAY_MS : midnight - MINUTE_MS;
      } else if (isTime(moment)) return moment;
      else at += direction * MINUTE_MS;
    }
    return undefined;
  };
  if (!search(0, 1)) return undefined;
  const minuteOf = (at: Date) => at.getTime() - (at.getTime() % MINUTE_MS);
  return {
    previous: (at) => search(minuteOf(at), -1) as Date,
    next: (at) => search(minuteOf(at) + MINUTE_MS, 1) as Date,
  };
};
