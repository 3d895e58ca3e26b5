/** Counts Unicode code points. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Whether a text has more than `max` characters. Counts them only if the UTF-16 length does not decide. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > max * 2 || countCharacters(text) > max);

/** Whether a text has fewer than `min` characters. */
export const isShorterThan = (text: string, min: number): boolean =>
  text.length < min * 2 && (text.length < min || (min > 1 && countCharacters(text) < min));

/** PostgreSQL cannot store U+0000, and UTF-8 cannot encode a lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const NOT_ASCII = /[^\0-\x7f]/;
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not decompose. */
const UNDECOMPOSED: Record<string, string> = {
  ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ',
}; // biome-ignore format: a table
const UNDECOMPOSED_LETTER = /[ßøłđðħıæœþς]/g;
/** Normalization takes quadratic time in the combining marks of one letter. No script uses more than 30; the Unicode
 *  standard calls text within that limit stream-safe. */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Normalizes text for search: removes case, accents and compatibility variants. */
export const fold = (text: string): string => {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(ACCENTS, '')
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter] ?? letter)
    .normalize('NFC');
};

/** ASCII letters in lower case, and all other characters unchanged. */
export const lowerAscii = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Names in a message: the first ten, and how many more there are. */
export const listSome = (names: readonly string[], max = 10): string =>
  `${names.slice(0, max).join(', ')}${names.length > max ? `, and ${names.length - max} more` : ''}`;
