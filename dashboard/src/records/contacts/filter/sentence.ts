import { language, locale, numberText, plural, t } from '../../../lib/i18n.ts';
import { type Attribute, isPeriod } from './attributes.ts';
import { type ConditionDraft, type Draft, draftGroup, type FilterTree, isGroup, type Value } from './tree.ts';

/* A filter in words. */

/** An attribute, an operator and a value, in this order. */
const patterns: Readonly<Record<string, string>> = {
  eq: t('{attribute} is {value}'),
  ne: t('{attribute} is not {value}'),
  in: t('{attribute} is any of {value}'),
  '!in': t('{attribute} is none of {value}'),
  gt: t('{attribute} is greater than {value}'),
  gte: t('{attribute} is at least {value}'),
  lt: t('{attribute} is less than {value}'),
  lte: t('{attribute} is at most {value}'),
  contains: t('{attribute} contains {value}'),
  '!contains': t('{attribute} does not contain {value}'),
  starts_with: t('{attribute} starts with {value}'),
  '!starts_with': t('{attribute} does not start with {value}'),
  is_set: t('{attribute} is known'),
  '!is_set': t('{attribute} is unknown'),
  within_last: t('{attribute} is in the last {value}'),
  '!within_last': t('{attribute} is not in the last {value}'),
  within_next: t('{attribute} is in the next {value}'),
  '!within_next': t('{attribute} is not in the next {value}'),
};

/** Of days and times. */
const timePatterns: Readonly<Record<string, string>> = {
  eq: t('{attribute} is on {value}'),
  ne: t('{attribute} is not on {value}'),
  gt: t('{attribute} is after {value}'),
  gte: t('{attribute} is on or after {value}'),
  lt: t('{attribute} is before {value}'),
  lte: t('{attribute} is on or before {value}'),
};

const isTime = (attribute: Attribute | undefined): boolean =>
  attribute?.type === 'date' || attribute?.type === 'datetime';

const patternOf = (attribute: Attribute | undefined, op: string): string =>
  (isTime(attribute) && timePatterns[op]) || (patterns[op] ?? `{attribute} ${op} {value}`);

const fill = (pattern: string, values: Readonly<Record<string, string>>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/** An operator without attribute and value, for a select. */
export const opLabel = (attribute: Attribute | undefined, op: string): string =>
  fill(patternOf(attribute, op), {}).trim();

export const units = ['D', 'W', 'M', 'H'] as const;
export type Unit = (typeof units)[number];
export interface Period {
  readonly count: number;
  readonly unit: Unit;
}

const DURATION = /^P(?:(\d+)([DWM])|T(\d+)(H))$/;

/** `P30D` is 30 days. Undefined for a period that the builder cannot edit. */
export const parsePeriod = (text: unknown): Period | undefined => {
  const [, days, unit, hours] = DURATION.exec(String(text)) ?? [];
  if (hours) return { count: Number(hours), unit: 'H' };
  return days ? { count: Number(days), unit: unit as Unit } : undefined;
};

export const periodText = ({ count, unit }: Period): string => `P${unit === 'H' ? 'T' : ''}${count}${unit}`;

const periodWords = (text: unknown): string => {
  const period = parsePeriod(text);
  if (!period) return String(text);
  const { count } = period;
  return {
    D: () => plural(count, 'day', '# days'),
    W: () => plural(count, 'week', '# weeks'),
    M: () => plural(count, 'month', '# months'),
    H: () => plural(count, 'hour', '# hours'),
  }[period.unit]();
};

/** The label of a record by its id, as far as it is known. */
export type NameOf = (id: string) => string | undefined;

export interface Vocabulary {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly nameOf?: NameOf;
  /** The time zone of the workspace, in which times are told. */
  readonly zone?: string | undefined;
}

/** A date, or the day of a time. */
const dayWords = (attribute: Attribute, value: string, zone: string | undefined): string => {
  const at = Date.parse(value);
  if (Number.isNaN(at)) return value;
  const timeZone = attribute.type === 'date' ? 'UTC' : zone;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }).format(at);
};

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });

const valueWords = (attribute: Attribute | undefined, value: Value, { nameOf, zone }: Vocabulary): string => {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (typeof value === 'number') return numberText(value);
  if (attribute && isTime(attribute)) return dayWords(attribute, value, zone);
  if (attribute?.type === 'record') return nameOf?.(value) ?? value;
  if (attribute?.type === 'country') return countries.of(value) ?? value;
  const label = attribute?.options?.find((option) => option.value === value)?.label;
  if (label) return label;
  // A text with a space, or an empty one, could not be told from the words around it.
  return /^\S+$/.test(value) ? value : t('“{text}”', { text: value });
};

/** English writes a label within a sentence in lower case, unless it looks like an abbreviation. */
const withinSentence = (label: string): string =>
  language === 'en' && /^\p{Lu}(\P{Lu}|$)/u.test(label)
    ? label.charAt(0).toLowerCase() + label.slice(1)
    : label;

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const conditionWords = (
  { attribute: name, op, value = '' }: ConditionDraft,
  vocabulary: Vocabulary,
): string => {
  const attribute = vocabulary.attributes.get(name);
  const own = attribute?.phrases?.[typeof value === 'boolean' ? String(value) : op];
  const label = withinSentence(attribute?.label ?? name.replace(/^fields\./, ''));
  const words = isPeriod(op)
    ? periodWords(value)
    : [value]
        .flat()
        .map((each) => valueWords(attribute, each, vocabulary))
        .join(', ');
  return fill(own ? withinSentence(own) : patternOf(attribute, op), { attribute: label, value: words });
};

const groupWords = (draft: Draft, vocabulary: Vocabulary, isRoot: boolean): string => {
  if (!isGroup(draft)) return conditionWords(draft, vocabulary);
  const { join, members } = draft;
  const isAll = join === 'all' || join === 'not_all';
  const parts = members.map((member) => groupWords(member, vocabulary, false));
  const words = parts.join(isAll ? ` ${t('and')} ` : ` ${t('or')} `);
  if (join === 'none' || join === 'not_all') return t('not ({words})', { words });
  return isRoot || members.length === 1 ? words : `(${words})`;
};

/** A filter as a sentence: `Plan is gold and renewal date is in the next 30 days`. */
export const sentenceOf = (tree: FilterTree | undefined, vocabulary: Vocabulary): string =>
  capitalized(groupWords(draftGroup(tree), vocabulary, true)) || t('All contacts');
