import { instantOf, localTime } from '../../../api/time-zone.gen.ts';
import type { CampaignSchedule } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { type Weekday, weekdays } from '../../../records/campaigns/call-window.ts';
import { type RetryRow, rowsOf, rulesOf } from './retry-rules.ts';

/** The fields as typed: times of the workspace's time zone, and numbers as text. */
export interface ScheduleForm {
  readonly starts: string;
  readonly ends: string;
  readonly hasWindow: boolean;
  readonly days: readonly Weekday[];
  readonly from: string;
  readonly to: string;
  readonly attempts: string;
  readonly minutes: string;
  readonly rules: readonly RetryRow[];
}

const localValue = (zone: string, at: string | null) =>
  at ? localTime(zone, Date.parse(at)).slice(0, 16) : '';

export const formOf = (schedule: CampaignSchedule): ScheduleForm => {
  const { starts_at, ends_at, call_window, max_attempts, min_retry_minutes, time_zone } = schedule;
  return {
    starts: localValue(time_zone, starts_at),
    ends: localValue(time_zone, ends_at),
    hasWindow: call_window !== null,
    days: (call_window?.days ?? weekdays.slice(0, 5)) as readonly Weekday[],
    from: call_window?.from ?? '09:00',
    to: call_window?.to ?? '18:00',
    attempts: max_attempts === null ? '' : String(max_attempts),
    minutes: min_retry_minutes === null ? '' : String(min_retry_minutes),
    rules: rowsOf(schedule.retry_rules),
  };
};

/** A time that was not changed keeps its seconds. */
const instant = (zone: string, value: string, before: string | null): string | null => {
  if (value === '') return null;
  if (value === localValue(zone, before)) return before;
  return new Date(instantOf(zone, value)).toISOString();
};

export const bodyOf = (form: ScheduleForm, schedule: CampaignSchedule) => ({
  starts_at: instant(schedule.time_zone, form.starts, schedule.starts_at),
  ends_at: instant(schedule.time_zone, form.ends, schedule.ends_at),
  call_window: form.hasWindow
    ? { days: weekdays.filter((day) => form.days.includes(day)), from: form.from, to: form.to }
    : null,
  max_attempts: form.attempts === '' ? null : Number(form.attempts),
  min_retry_minutes: form.minutes === '' ? null : Number(form.minutes),
  retry_rules: rulesOf(form.rules),
});

export const MAX_ATTEMPTS = 100;
/** 30 days. */
export const MAX_MINUTES = 43_200;

const numberProblem = (text: string, max: number): string | undefined => {
  const value = Number(text);
  return text === '' || (Number.isInteger(value) && value >= 1 && value <= max)
    ? undefined
    : t('Enter a whole number from {min} to {max}.', { min: 1, max });
};

/** The problems of all fields, which the service would report too. A time that was not changed may be over. */
export const problemsOf = (form: ScheduleForm, schedule: CampaignSchedule) => {
  const { starts, ends, hasWindow, days, from, to, attempts, minutes } = form;
  const before = formOf(schedule);
  const isPast = (name: 'starts' | 'ends') =>
    form[name] !== '' &&
    form[name] !== before[name] &&
    instantOf(schedule.time_zone, form[name]) <= Date.now();
  const notLater = t('The end must be later than the start.');
  return {
    starts: isPast('starts') ? t('The start must be in the future.') : undefined,
    ends:
      starts && ends && ends <= starts
        ? notLater
        : isPast('ends')
          ? t('The end must be in the future.')
          : undefined,
    days: hasWindow && days.length === 0 ? t('Choose at least one day.') : undefined,
    from: hasWindow && from === '' ? t('Enter a time.') : undefined,
    to: hasWindow ? (to === '' ? t('Enter a time.') : to <= from ? notLater : undefined) : undefined,
    attempts: numberProblem(attempts, MAX_ATTEMPTS),
    minutes: numberProblem(minutes, MAX_MINUTES),
  };
};
