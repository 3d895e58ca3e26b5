/** 9999-12-31, Excel's last date. */
const LAST_DAY = 2_958_465;
/** Days between the epochs of the 1900 and 1904 date systems. */
const DAYS_TO_1904 = 1_462;

const inDigits = new Intl.NumberFormat('en-US', {
  useGrouping: false,
  maximumSignificantDigits: 15,
  signDisplay: 'negative',
});

/** A number without exponent, with the 15 significant digits of a spreadsheet: 4.4207946001799997E11 is 442079460018. */
export const numberText = (written: string): string => {
  const text = written.trim();
  if (text === '' || /^-?\d{1,40}$/.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? inDigits.format(value) : '';
};

/** A date in ISO 8601, with the time if there is one; a time without a date; or a number if the value is out of range. */
export const dateText = (written: string, is1904: boolean): string => {
  const value = Number(written);
  const serial = is1904 && value >= 1 ? value + DAYS_TO_1904 : value;
  if (written.trim() === '' || !(serial >= 0 && serial < LAST_DAY + 1)) return numberText(written);
  const seconds = Math.round(serial * 86_400);
  // Excel counts 29 February 1900, which did not exist.
  const base = seconds < 60 * 86_400 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  const iso = new Date(base + seconds * 1_000).toISOString();
  if (seconds < 86_400) return iso.slice(11, 19);
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
};

const DATE_FORMATS: readonly [from: number, to: number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
export const isBuiltInDate = (format: number): boolean =>
  DATE_FORMATS.some(([from, to]) => format >= from && format <= to);

const MAX_FORMAT_LENGTH = 255;

/** Whether a number format shows dates: it has a date letter outside of quotes, brackets and escapes. */
export const isDateFormat = (code: string): boolean =>
  /[dmyhs]/i.test(
    code
      .slice(0, MAX_FORMAT_LENGTH)
      .replace(/"[^"]*"?|\[[^\]]*\]?|[\\_*]./g, '')
      .replace(/general/gi, ''),
  );

/** Decodes escapes such as `_x000D_`, and removes NUL characters and lone surrogates. */
export const plainText = (text: string): string =>
  (text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
  )
    .replaceAll('\0', '')
    .toWellFormed();
