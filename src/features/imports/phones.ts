import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max';
import { internationalIdentity, phoneProblem, withoutSeparators } from '../contacts/phone.ts';
import type { Reason } from './import.schema.ts';
import { repairPhone } from './repairs.ts';

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
