import type { CampaignSchedule } from '../../api/types.gen.ts';
import { locale, t } from '../../lib/i18n.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
/** 2024-01-01 was a Monday. */
export const weekdayLabel = (day: Weekday): string =>
  names.format(Date.UTC(2024, 0, 1 + weekdays.indexOf(day)));

/** `Mon–Fri, 09:00–18:00`, or the days one by one. */
export const windowText = ({ days, from, to }: NonNullable<CampaignSchedule['call_window']>): string => {
  const sortedDays = weekdays.filter((day) => days.includes(day));
  const first = weekdays.indexOf(sortedDays[0] ?? 'mon');
  const last = weekdays.indexOf(sortedDays.at(-1) ?? 'sun');
  const isRange = sortedDays.length > 2 && last - first === sortedDays.length - 1;
  const dayText =
    sortedDays.length === weekdays.length
      ? t('Every day')
      : isRange
        ? `${weekdayLabel(sortedDays[0] as Weekday)}–${weekdayLabel(sortedDays.at(-1) as Weekday)}`
        : sortedDays.map(weekdayLabel).join(', ');
  return `${dayText}, ${from}–${to}`;
};
