import { instantOf, localTime } from '../../api/time-zone.gen.ts';
import type { Field } from '../../api/types.gen.ts';
import { locale, t } from '../../lib/i18n.ts';

export type FieldType = Field['type'];
export type FieldValue = string | number | boolean;

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const decimal = numbers.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/;

const isoSeconds = (local: string): string => (local.endsWith(':00') ? local.slice(0, -3) : local);

/** A value as it is read. Times are in the workspace's zone. */
export const fieldText = (type: FieldType, value: FieldValue | null | undefined, zone: string): string => {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return numbers.format(value);
  if (type === 'date') return days.format(new Date(value));
  if (type === 'datetime')
    return new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: zone,
    }).format(new Date(value));
  return value;
};

/** A value as its control has it. */
export const inputOf = (type: FieldType, value: FieldValue | null | undefined, zone: string): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', decimal);
  return type === 'datetime' ? isoSeconds(localTime(zone, Date.parse(String(value)))) : String(value);
};

/** The value of what was entered; null if it is empty, and undefined if it is not of the type. */
export const enteredValue = (type: FieldType, input: string, zone: string): FieldValue | null | undefined => {
  const text = type === 'text' ? input : input.trim();
  if (text === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'datetime') return new Date(instantOf(zone, text)).toISOString();
  if (type !== 'number') return text;
  const plain = decimal === '.' ? text : text.replace('.', ' ').replace(decimal, '.');
  return NUMBER.test(plain) ? Number(plain) : undefined;
};

/** Only addresses of these schemes become links. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text);

const MAX_KEY = 40;

/** A key for a label: `Renewal date (next)` is `renewal_date_next`. */
export const keyOf = (label: string): string =>
  label
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, MAX_KEY)
    .replace(/_$/, '');

/** The options in a text with one option per line. */
export const optionsIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

/** Why a number was refused. */
export const invalidText = (): string =>
  t('Enter a number without thousands separators, for example {example}.', {
    example: numbers.format(12.5),
  });
