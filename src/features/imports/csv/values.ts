/** What a cell looks like, for guesses about columns. No verdict about a row is made from these. */

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@.,;]+$/;
const NUMBER = /^[-+]?[\d., ]*\d%?$/;
const DATE =
  /^(?:\d{4}[-./]?(?:0?[1-9]|1[0-2])[-./]?(?:0?[1-9]|[12]\d|3[01])|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))(?:[T ].*)?$/;
/** Digits with something between them that no phone number has: amounts and coordinates, addresses of computers, American
 *  social security numbers and postal codes. */
const OTHER_DIGITS = /^(?:-.*|\d*[.,]\d+|\d{1,3}(?:\.\d{1,3}){3}|\d{3}-\d\d-\d{4}|\d{5}-\d{4})$/;
const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i;
const DIALLED = /^[\d\s().\-/\u2010-\u2015+]+(?:(?:x|ext\.?|#)\s*\d+)?$/i;

/** Longer cells are texts. */
const MAX_LENGTH = 254;
const first = (cell: string): string => {
  const text = (cell.split(':::', 1)[0] ?? '').trim();
  return text.length > MAX_LENGTH ? '' : text;
};

export const looksLikeEmail = (cell: string): boolean => EMAIL.test(first(cell));

export const looksLikeDate = (cell: string): boolean => DATE.test(first(cell));

/** How much a cell looks like a phone number, from 0 to 1. Plain digits could be anything, an international number could
 *  not. */
export const phoneLikeness = (cell: string): number => {
  const text = first(cell).replace(/^'|^tel:|\.0$/g, '');
  if (SCIENTIFIC.test(text)) return 0.5;
  const digits = text.replace(/\D/g, '').length;
  if (digits < 7 || digits > 19 || !DIALLED.test(text) || looksLikeDate(text) || OTHER_DIGITS.test(text))
    return 0;
  if (text.startsWith('+')) return 1;
  if (digits > 15) return 0;
  return /^\d+$/.test(text) ? 0.6 : 0.9;
};

/** Whether a cell holds a value, where a header would hold a name. */
export const looksLikeValue = (cell: string): boolean =>
  looksLikeEmail(cell) || looksLikeDate(cell) || phoneLikeness(cell) > 0 || NUMBER.test(first(cell));
