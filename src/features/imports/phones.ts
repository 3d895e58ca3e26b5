import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { internationalIdentity, phoneProblem, withoutSeparators } from '../contacts/phone.ts';
import type { Reason } from './import.schema.ts';

/** A reason that follows the field's name. */
type NoPhone = { ok: false; reason: string; code: Reason };
/** The identity (E.164) of the number in a cell, or why there is none. */
type PhoneReading = { ok: true; identity: string } | NoPhone;

export const noPhone = (reason: string, code: Reason = 'phone_invalid'): NoPhone => ({
  ok: false,
  reason,
  code,
});

/** Reads a phone number in any format, and repairs the damage that spreadsheets do. A national number needs a country, for
 *  example `DE`. */
export const readPhone = (text: string, country?: string | null): PhoneReading => {
  const whole = internationalIdentity(text);
  if (whole !== undefined) return { ok: true, identity: whole };
  const { number, lost } = repairPhone(text);
  if (lost !== undefined) return noPhone(lost, 'digits_lost');
  if (number === '') return noPhone('is missing.', 'phone_missing');
  if (number.length > 64) return noPhone('is not a phone number.');
  const bare = withoutSeparators(number);
  return bare.startsWith('+') ? international(number, bare) : national(number, bare, country);
};

const international = (number: string, bare: string): PhoneReading => {
  const identity = internationalIdentity(bare);
  if (identity !== undefined) return { ok: true, identity };
  return parsed(number, {}) ?? noPhone(phoneProblem(bare) ?? 'is not a phone number.');
};

const national = (number: string, bare: string, region: string | null | undefined): PhoneReading => {
  const digits = /^\d+$/.test(bare) ? bare : '';
  if (digits.startsWith('00')) {
    const dialled = parsed(`+${digits.slice(2)}`, {}, true);
    if (dialled) return dialled;
  }
  if (!region || !isSupportedCountry(region)) {
    const reason = 'has no + and country code. Choose a default country for the phone numbers of this file.';
    return /\d{3}/.test(bare) ? noPhone(reason, 'country_missing') : noPhone('is not a phone number.');
  }
  const options = { defaultCountry: region };
  return (
    northAmerican(digits, region) ??
    withoutPlus(digits, options) ??
    parsed(number, options) ??
    lengthProblem(number, region, options)
  );
};

type RegionOptions = { defaultCountry?: CountryCode };

/** Ten digits in North America, as the library would read them, in a fifteenth of its time. */
const northAmerican = (digits: string, region: CountryCode): PhoneReading | undefined => {
  if (getCountryCallingCode(region) !== '1') return undefined;
  if (/^[2-9]\d{9}$/.test(digits)) return { ok: true, identity: `+1${digits}` };
  if (/^1[2-9]\d{9}$/.test(digits)) return { ok: true, identity: `+${digits}` };
  return undefined;
};

/** Digits that lost their + but begin with the country's own code. If they are not assigned in the country but would be
 *  abroad, either may be meant, and a wrong guess would call a stranger. */
const withoutPlus = (digits: string, options: RegionOptions): PhoneReading | undefined => {
  if (digits === '' || digits.startsWith('0')) return undefined;
  const inside = parsed(digits, options, true);
  if (inside) return inside;
  if (!parsed(digits, options) || !parsed(`+${digits}`, {}, true)) return undefined;
  return noPhone(
    `may be a number of another country. If it is, write it as +${digits}.`,
    'country_ambiguous',
  );
};

/** The library's reading if the number is possible; with `certain`, it must also be assigned. */
const parsed = (text: string, options: RegionOptions, certain = false): PhoneReading | undefined => {
  const found = parsePhoneNumberFromString(text, { extract: false, ...options });
  const identity = found && internationalIdentity(found.number);
  if (!identity || !(certain ? found.isValid() : found.isPossible())) return undefined;
  return { ok: true, identity };
};

const lengthProblem = (number: string, region: string, options: RegionOptions): PhoneReading => {
  const problem = validatePhoneNumberLength(number, options);
  const mismatch = (reason: string) => noPhone(reason, 'country_mismatch');
  if (problem === 'TOO_SHORT')
    return noPhone(`has too few digits for a number in ${region}.`, 'phone_too_short');
  if (problem === 'TOO_LONG') return mismatch(`has too many digits for a number in ${region}.`);
  if (problem === 'INVALID_LENGTH')
    return mismatch(`has the wrong number of digits for a number in ${region}.`);
  return noPhone('is not a phone number.');
};

/** Invisible characters that are copied along with a number. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g;
const FORMULA = /^="(.*)"$/;
const LABEL = /^\p{L}[\p{L} .]{0,20}:(?!:)\s*/u;
const SEVERAL = /:::|[;\r\n]/;
const SCIENTIFIC = /^\+?(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;
const THOUSANDS = /^\d{1,3}(?:,\d{3}){2,}(?:\.0+)?$/;
const DECIMAL = /^(\+?\d{5,})[.,]0+$/;

const UNDAMAGED = /^[+\d ()\-/]*$/;

/** Undoes what spreadsheets and exports do to phone numbers. `lost` says why the number cannot be recovered. */
export const repairPhone = (text: string): { number: string; lost?: string } => {
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
