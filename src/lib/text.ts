/** Characters as people and the specification count them: Unicode code points. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** Whether a text has more than `max` characters, without counting where its length alone decides. */
export const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && (text.length > max * 2 || countCharacters(text) > max);

/** U+0000 cannot be stored in PostgreSQL, and a lone surrogate has no UTF-8: neither would come back as it went. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const NOT_ASCII = /[^\0-\x7f]/;
const ACCENTS = /[\u0300-\u036f]/g;
/** Letters whose accent is part of the letter, so that Unicode does not take it apart. */
const JOINED: Record<string, string> = {
  ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ',
}; // biome-ignore format: a table
const JOINED_LETTER = /[ßøłđðħıæœþς]/g;
/** Normalization sorts the combining marks of a letter in time with the square of their number. No writing has more than
 *  30 on one letter; the Unicode standard calls texts within that limit stream-safe. */
const EXCESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** The form in which texts are compared by a search: without case, accents and compatibility variants. */
export const fold = (text: string): string => {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text
    .replace(ACCENTS, '')
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(JOINED_LETTER, (letter) => JOINED[letter] ?? letter)
    .normalize('NFC');
};
