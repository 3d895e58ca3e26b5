export interface Repair {
  /** The repaired number, otherwise as written. */
  number: string;
  /** Why the number cannot be recovered. */
  lost?: string;
}

/** Invisible characters that are copied along with a number. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g;
const FORMULA = /^="(.*)"$/;
const LABEL = /^\p{L}[\p{L} .]{0,20}:(?!:)\s*/u;
const SEVERAL = /:::|[;\r\n]/;
const SCIENTIFIC = /^\+?(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;
const THOUSANDS = /^\d{1,3}(?:,\d{3}){2,}(?:\.0+)?$/;
const DECIMAL = /^(\+?\d{5,})[.,]0+$/;

const UNDAMAGED = /^[+\d ()\-/]*$/;

/** Undoes what spreadsheets and exports do to phone numbers. */
export const repairPhone = (text: string): Repair => {
  if (UNDAMAGED.test(text)) return { number: text.trim() };
  const whole = text.replace(INVISIBLE, '').trim();
  const bare = whole
    .replace(/^'+/, '')
    .replace(FORMULA, '$1')
    .trim()
    .replace(LABEL, '')
    .replace(/;ext=/i, ' x');
  let number = firstOf(bare.split(SEVERAL));
  const scientific = SCIENTIFIC.exec(number);
  if (scientific) {
    const [, first = '', rest = '', exponent] = scientific;
    if (rest.length !== Number(exponent)) return { number, lost: lostDigits(number) };
    number = first + rest;
  } else if (THOUSANDS.test(number)) {
    number = number.replace(/,|\.0+$/g, '');
  } else if (DECIMAL.test(number)) {
    number = number.replace(DECIMAL, '$1');
  } else {
    number = firstOf(number.split(','));
  }
  return { number };
};

const firstOf = (parts: string[]): string =>
  parts.map((part) => part.trim()).find((part) => part !== '') ?? '';

const lostDigits = (number: string): string =>
  `was turned into ${number} by a spreadsheet, and its last digits are lost. Format the column as text and export it again.`;
