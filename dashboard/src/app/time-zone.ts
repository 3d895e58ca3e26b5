import { useQuery } from '@tanstack/react-query';
import { apiQuery, queryClient } from '../api/query.ts';
import { addDays, localDay, startOfDay } from '../api/time-zone.gen.ts';
import { daysOf, isDatePreset, type TimeRange } from '../lib/date-range.ts';

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of the workspace, whose days lists and charts count; undefined while it loads. */
export const useTimeZone = (): string | undefined => {
  const query = useQuery(apiQuery('/settings'));
  return query.data?.data.time_zone ?? (query.isError ? browserTimeZone() : undefined);
};

/** The first and the last day of a range in the address; an open end is empty. */
export const daysIn = (zone: string, value: string): { readonly from: string; readonly to: string } => {
  if (!isDatePreset(value)) return daysOf(value) ?? { from: '', to: '' };
  const today = localDay(zone, Date.now());
  if (value === 'today') return { from: today, to: '' };
  if (value === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  return { from: addDays(today, 1 - Number.parseInt(value, 10)), to: '' };
};

/** The zone as far as it is known; a component that uses days calls `useTimeZone` too. */
const knownTimeZone = (): string =>
  queryClient.getQueryData(apiQuery('/settings').queryKey)?.data.time_zone ?? browserTimeZone();

/** The times of a range of days of the workspace, for the service. */
export const workspaceTimeRange = (value: string | undefined): TimeRange =>
  timeRangeIn(knownTimeZone(), value);

/** The times of a range of days of a time zone, for the service. */
export const timeRangeIn = (zone: string, value: string | undefined): TimeRange => {
  if (!value) return {};
  const { from, to } = daysIn(zone, value);
  const startOf = (day: string) => new Date(startOfDay(zone, day)).toISOString();
  return { since: from ? startOf(from) : undefined, before: to ? startOf(addDays(to, 1)) : undefined };
};
