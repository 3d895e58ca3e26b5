/** What a cell looks like, to guess the field of a column. Verdicts on rows do not depend on it. */

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@.,;]+$/;
const NUMBER = /^[-+]?[\d., ]*\d%?$/;
const DATE =
  /^(?:\d{4}[-./]?(?:0?[1-9]|1[0-2])[-./]?(?:0?[1-9]|[12]\d|3[01])|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))(?:[T ].*)?$/;
/** Digits in formats that phone numbers do not have: amounts, coordinates, IP addresses, US social security numbers and ZIP
 *  codes. */
const OTHER_DIGITS = /^(?:-.*|\d*[.,]\d+|\d{1,3}(?:\.\d{1,3}){3}|\d{3}-\d\d-\d{4}|\d{5}-\d{4})$/;
const SCIENTIFIC = /^\d(?:[.,]\d+)?E\+?\d{1,2}$/i;
const DIALLED = /^[\d\s().\-/\u2010-\u2015+]+(?:(?:x|ext\.?|#)\s*\d+)?$/i;

/** Longer cells are prose. */
const MAX_LENGTH = 254;
const first = (cell: string): string => {
  const text = (cell.split(':::', 1)[0] ?? '').trim();
  return text.length > MAX_LENGTH ? '' : text;
};

export const looksLikeEmail = (cell: string): boolean => EMAIL.test(first(cell));

export const looksLikeDate = (cell: string): boolean => DATE.test(first(cell));

/** How much a cell looks like a phone number, from 0 to 1. An international number is certain; plain digits are not. */
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

/** Whether a cell is a value rather than the name of a column. */
export const looksLikeValue = (cell: string): boolean =>
  looksLikeEmail(cell) || looksLikeDate(cell) || phoneLikeness(cell) > 0 || NUMBER.test(first(cell));
