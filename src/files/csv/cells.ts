import { parseDay, parseTime } from '../../lib/time.ts';
import { instantOf } from '../../lib/time-zone.ts';

export type CellType = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'enum' | 'url';

/** How a column writes numbers and dates, as far as its first cells show it: `1.234` is 1234 or 1.234, and `05/06/2026` is in May or in
 *  June. */
export interface Notation {
  readonly decimal: '.' | ',' | null;
  readonly dates: 'dmy' | 'mdy' | null;
}
export const NO_NOTATION: Notation = { decimal: null, dates: null };

/** A cell that could be two values. */
export interface Ambiguous {
  readonly ambiguous: string;
}

const GROUPS = String.raw`\d{1,3}(?:[ '’\u00a0\u202f]\d{3})+`;
const WHOLE = new RegExp(`^(?:\\d+|${GROUPS})$`);
/** What says which character begins the decimals. */
const DECIMAL = {
  '.': new RegExp(String.raw`^(?:(?:\d*|${GROUPS}|\d{1,3}(?:,\d{3})+)\.\d+|\d{1,3}(?:,\d{3}){2,})$`),
  ',': new RegExp(String.raw`^(?:(?:\d*|${GROUPS}|\d{1,3}(?:\.\d{3})+),\d+|\d{1,3}(?:\.\d{3}){2,})$`),
} as const;
const EITHER = /^[1-9]\d{0,2}[.,]\d{3}$/;
const SIGN = /^[-+\u2212]/;
const EXPONENT = /^-?\d(?:\.\d+)?e[-+]?\d{1,3}$/i;
const AMBIGUOUS_NUMBER = {
  ambiguous: 'could be a whole number or one with decimals. Write it as 1234 or 1.2340.',
};

const decimalOf = (unsigned: string): Notation['decimal'] => {
  if (EITHER.test(unsigned)) return null;
  return DECIMAL['.'].test(unsigned) ? '.' : DECIMAL[','].test(unsigned) ? ',' : null;
};

const numberOf = (text: string, { decimal: usual }: Notation): number | Ambiguous | undefined => {
  if (EXPONENT.test(text)) return Number(text);
  const unsigned = text.replace(SIGN, '');
  const isEither = EITHER.test(unsigned);
  if (isEither && usual === null) return AMBIGUOUS_NUMBER;
  const decimal = isEither ? usual : decimalOf(unsigned);
  if (decimal === null && !WHOLE.test(unsigned)) return undefined;
  const digits = unsigned.replace(decimal === ',' ? /[^\d,]/g : /[^\d.]/g, '').replace(',', '.');
  const value = Number(digits);
  return /^[-\u2212]/.test(text) ? -value : value;
};

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1', 'ja'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0', 'nein'].map((word) => [word, false] as const),
]);

const TIME = String.raw`(?:[T ](\d{1,2}:\d\d(?::\d\d)?)(?:\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-./])(\d{1,2})\2(\d{1,2})${TIME}$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-./])(\d{1,2})\2(\d{4})${TIME}$`);
const AMBIGUOUS_DATE = {
  ambiguous: 'could have the day or the month first. Write it as 2026-01-31.',
};

/** Which of two numbers is the day. Dates with dots have it first. */
const orderOf = (first: string, separator: string, second: string): Notation['dates'] => {
  if (Number(first) > 12 || separator === '.') return 'dmy';
  return Number(second) > 12 ? 'mdy' : null;
};

const pad = (digits: string): string => digits.padStart(2, '0');

/** A day, with the local time and the offset, if the cell has them. */
const dateOf = (text: string, { dates }: Notation) => {
  const [, year, , month = '', day = '', time, zone] = YEAR_FIRST.exec(text) ?? [];
  if (year) return { day: `${year}-${pad(month)}-${pad(day)}`, time, zone };
  const [, first = '', separator = '', second = '', last, clock, offset] = YEAR_LAST.exec(text) ?? [];
  if (!last) return undefined;
  const order = orderOf(first, separator, second) ?? (first === second ? 'dmy' : dates);
  if (order === null) return AMBIGUOUS_DATE;
  const [d, m] = order === 'dmy' ? [first, second] : [second, first];
  return { day: `${last}-${pad(m)}-${pad(d)}`, time: clock, zone: offset };
};

const isMidnight = (time: string | undefined): boolean => !time || /^0?0:00(?::00)?$/.test(time);

/** The cell of a workbook with a date and the time 0:00 has no time. */
const instantIn = (zone: string, text: string, notation: Notation): string | Ambiguous | undefined => {
  if (parseTime(text)) return text;
  const found = dateOf(text, notation);
  if (!found || 'ambiguous' in found || !parseDay(found.day))
    return found && 'ambiguous' in found ? found : undefined;
  const local = `${found.day}T${(found.time ?? '00:00').padStart(5, '0').padEnd(8, ':00')}`;
  if (found.zone) return `${local}${found.zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`;
  const at = Number.isNaN(Date.parse(`${local}Z`)) ? Number.NaN : instantOf(zone, local);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

export interface CellContext {
  readonly notation: Notation;
  /** The zone of times that name none. */
  readonly zone: string;
  readonly options: readonly string[] | null;
}

/** The value that a cell writes, of a type. A cell that cannot be read is its text, which no other type than text accepts. */
export const cellValue = (
  type: CellType,
  cell: string,
  { notation, zone, options }: CellContext,
): string | number | boolean | Ambiguous => {
  if (type === 'text') return cell;
  const text = cell.trim();
  switch (type) {
    case 'number':
      return numberOf(text, notation) ?? text;
    case 'boolean':
      return WORDS.get(text.toLowerCase()) ?? text;
    case 'date': {
      const found = dateOf(text, notation);
      if (!found || 'ambiguous' in found) return found ?? text;
      return isMidnight(found.time) && !found.zone ? found.day : text;
    }
    case 'datetime':
      return instantIn(zone, text, notation) ?? text;
    case 'enum':
      if (options?.includes(text)) return text;
      return options?.find((option) => option.toLowerCase() === text.toLowerCase()) ?? text;
    case 'url':
      return text;
  }
};

/** The one value that all cells agree on. */
const agreed = <T>(values: readonly (T | null)[]): T | null => {
  const [first = null, ...others] = new Set(values.filter((value) => value !== null));
  return others.length === 0 ? first : null;
};

/** The notation of a column, by its first cells. */
export const notationOf = (cells: readonly string[]): Notation => {
  const texts = cells.map((cell) => cell.trim());
  return {
    decimal: agreed(texts.map((text) => decimalOf(text.replace(SIGN, '')))),
    dates: agreed(
      texts.map((text) => {
        const [, first, separator, second] = YEAR_LAST.exec(text) ?? [];
        return first && separator && second ? orderOf(first, separator, second) : null;
      }),
    ),
  };
};

/** What most cells of a column are. */
const SHARE = 0.9;
const MAX_OPTIONS = 12;
const MAX_OPTION_LENGTH = 64;
/** Numbers of accounts and the like, whose zeros count, or which have more digits than a number. */
const NOT_A_NUMBER = /^0\d|^\D*\d{16,}/;

/** The type of a column's first cells, and the options of an enum. */
export const guessType = (cells: readonly string[]): { type: CellType; options: string[] | null } => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  const notation = notationOf(texts);
  const are = (test: (text: string) => boolean) =>
    texts.length > 0 && texts.filter(test).length >= SHARE * texts.length;
  const of = (type: CellType) => ({ type, options: null });
  const isDate = (text: string) => {
    const found = dateOf(text, notation);
    return found !== undefined && ('ambiguous' in found || parseDay(found.day) !== undefined);
  };
  // Cells are read ignoring case, so the first spelling stands for all.
  const spellings = new Map<string, string>();
  for (const text of texts) if (!spellings.has(text.toLowerCase())) spellings.set(text.toLowerCase(), text);
  const distinct = [...spellings.values()];
  const isFlag = !distinct.every((text) => text === '1') && !distinct.every((text) => text === '0');
  if (isFlag && texts.length > 0 && texts.every((text) => WORDS.has(text.toLowerCase())))
    return of('boolean');
  if (are((text) => numberOf(text, notation) !== undefined && !NOT_A_NUMBER.test(text))) return of('number');
  if (are(isDate)) return of(texts.some((text) => text.includes(':')) ? 'datetime' : 'date');
  if (are((text) => /^https?:\/\/\S+$/i.test(text))) return of('url');
  const isRepeated = distinct.length > 1 && distinct.length * 2 <= texts.length;
  const isShort =
    distinct.length <= MAX_OPTIONS && distinct.every((text) => text.length <= MAX_OPTION_LENGTH);
  return isRepeated && isShort ? { type: 'enum', options: distinct } : of('text');
};
