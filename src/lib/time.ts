import { END_OF_TIME, type Timestamp } from './clock.ts';

const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;
/** The form of a time. It does not exclude days that do not exist. */
export const TIME_PATTERN = TIME.source;

const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse(END_OF_TIME);

/** The start of a `YYYY-MM-DD` day in UTC; undefined for any other text and for a day that does not exist, such as
 *  February 31, which JavaScript reads as March 3. */
export const parseDay = (text: string): Timestamp | undefined => {
  const moment = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return undefined;
  const start = moment.toISOString();
  return start.startsWith(text) ? start : undefined;
};

/** Converts a time with a time zone to UTC; undefined for any other text and for a time that does not exist. */
export const parseTime = (text: string): Timestamp | undefined => {
  const day = TIME.exec(text)?.[1];
  if (day === undefined || parseDay(day) === undefined) return undefined;
  const moment = new Date(text);
  // Outside the years of four digits, timestamps would not sort as text.
  return moment.getTime() >= YEAR_0 && moment.getTime() <= LAST ? moment.toISOString() : undefined;
};

/** Parses the UTC date of an email header, such as `Mon, 01 Jun 2026 12:00:30 +0000`. */
export const parseEmailDate = (text: string): Timestamp | undefined => {
  const moment = new Date(/^\w{3}, \d\d? \w{3} \d{4} \d\d:\d\d:\d\d (?:\+0000|GMT)$/.test(text) ? text : '');
  if (Number.isNaN(moment.getTime())) return undefined;
  const written = text.replace(/^(\w{3}, )(\d) /, '$10$2 ').replace('+0000', 'GMT');
  return moment.toUTCString() === written ? moment.toISOString() : undefined;
};
