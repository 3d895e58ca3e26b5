export interface Repair {
  /** The repaired number, otherwise as written. */
  number: string;
  /** What was repaired, as sentences. */
  repairs: string[];
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
  if (UNDAMAGED.test(text)) return { number: text.trim(), repairs: [] };
  const repairs: string[] = [];
  const whole = text.replace(INVISIBLE, '').trim();
  const bare = whole
    .replace(/^'+/, '')
    .replace(FORMULA, '$1')
    .trim()
    .replace(LABEL, '')
    .replace(/;ext=/i, ' x');
  let number = firstOf(bare.split(SEVERAL), repairs);
  const scientific = SCIENTIFIC.exec(number);
  if (scientific) {
    const [, first = '', rest = '', exponent] = scientific;
    if (rest.length !== Number(exponent)) return { number, repairs, lost: lostDigits(number) };
    number = first + rest;
    repairs.push('The digits were restored from scientific notation.');
  } else if (THOUSANDS.test(number)) {
    number = number.replace(/,|\.0+$/g, '');
    repairs.push('The thousands separators were removed.');
  } else if (DECIMAL.test(number)) {
    number = number.replace(DECIMAL, '$1');
    repairs.push('The decimals were removed.');
  } else {
    number = firstOf(number.split(','), repairs);
  }
  return { number, repairs };
};

const firstOf = (parts: string[], repairs: string[]): string => {
  const numbers = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (numbers.length > 1) repairs.push('The first of several numbers was used.');
  return numbers[0] ?? '';
};

const lostDigits = (number: string): string =>
  `was turned into ${number} by a spreadsheet, and its last digits are lost. Format the column as text and export it again.`;
