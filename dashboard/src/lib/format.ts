import { locale, numberText, t } from './i18n.ts';

export { numberText };

/** What a value without content is shown as. */
export const EMPTY = '–';

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const minute = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });

export const exactTime = (iso: string): string => exact.format(new Date(iso));

/** Without the seconds. */
export const minuteTime = (iso: string): string => minute.format(new Date(iso));

/** The time of day. */
export const clockTime = (iso: string): string => clock.format(new Date(iso));

/** A day with its year. */
export const dateText = (iso: string): string => dayOfYear.format(new Date(iso));

export const dayText = (iso: string): string => day.format(new Date(iso));

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

export const percentText = (share: number): string => percent.format(share);

/** `5 minutes ago`; a date if more than 30 days ago. */
export const relativeTime = (iso: string, now = Date.now()): string => {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * DAY) return dateText(iso);
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step
    ? relative.format(Math.round(seconds / step[1]), step[0])
    : seconds > 10
      ? t('in a moment')
      : t('just now');
};

/** `12 seconds ago`; undefined if it is not within the last minute. */
export const secondsAgo = (iso: string, now = Date.now()): string | undefined => {
  const seconds = Math.floor((now - Date.parse(iso)) / 1000);
  return seconds > 0 && seconds < MINUTE ? relative.format(-seconds, 'second') : undefined;
};

/** `4:05` or `1:02:03`. */
export const durationText = (seconds: number): string => {
  const parts = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE), seconds % MINUTE];
  return (parts[0] === 0 ? parts.slice(1) : parts)
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
};

/** The display name, the first and last name, or the phone number. */
export const contactName = (contact: {
  readonly display_name: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly phone_number: string;
}): string =>
  contact.display_name ||
  [contact.first_name, contact.last_name].filter(Boolean).join(' ') ||
  contact.phone_number;
