import { type DatePreset, daysOf, isDatePreset } from '../../lib/date-range.ts';
import { dayText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import type { Option } from '../../ui/option-list.tsx';

/** What a hook knows of the options for a typed text; undefined while they load. */
export type UseOptions = (typed: string) => readonly Option[] | undefined;
/** The label of a value that is an id; undefined while it loads. */
export type UseLabel = (value: string) => string | undefined;

interface Named {
  /** The parameter in the address. */
  readonly name: string;
  readonly label: string;
  /** Shown if it is in the address, but not offered. */
  readonly isHidden?: boolean;
}

/** A filter of a list. Its value is a text in the address. */
export type Filter = Named &
  (
    | { readonly kind: 'choice'; readonly options: readonly Option[] }
    /** One record or text, found by typing. */
    | { readonly kind: 'search'; readonly useOptions: UseOptions; readonly useLabel?: UseLabel }
    | { readonly kind: 'dates' }
    /** Any text; `useOptions` suggests some. */
    | { readonly kind: 'text'; readonly useOptions?: UseOptions }
  );

export type FilterValues = Readonly<Record<string, unknown>>;
export type FilterChange = Readonly<Record<string, string | undefined>>;

export const filterValue = (values: FilterValues, name: string): string => {
  const value = values[name];
  return value === undefined || value === null ? '' : String(value);
};

export const hasFilter = (filters: readonly Filter[], values: FilterValues): boolean =>
  filters.some(({ name }) => filterValue(values, name) !== '');

/** Removes filters. */
export const withoutFilters = (filters: readonly Filter[]): FilterChange =>
  Object.fromEntries(filters.map(({ name }) => [name, undefined]));

export const presetLabels: Readonly<Record<DatePreset, string>> = {
  today: t('Today'),
  yesterday: t('Yesterday'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
  '90d': t('Last 90 days'),
};

const dayLabel = (day: string) => dayText(`${day}T12:00:00`);

const dateLabel = (value: string): string => {
  if (isDatePreset(value)) return presetLabels[value];
  const { from = '', to = '' } = daysOf(value) ?? {};
  if (from === to) return dayLabel(from);
  if (!to) return t('since {day}', { day: dayLabel(from) });
  return from ? `${dayLabel(from)} – ${dayLabel(to)}` : t('until {day}', { day: dayLabel(to) });
};

const labelIn = (options: readonly Option[] | undefined, value: string): string =>
  options?.find((option) => option.value === value)?.label ?? value;

/** The text of a chip for values whose labels are known. */
export const chipText = (filter: Filter, values: FilterValues): string => {
  const value = filterValue(values, filter.name);
  if (filter.kind === 'choice') return labelIn(filter.options, value);
  return filter.kind === 'dates' ? dateLabel(value) : value;
};
