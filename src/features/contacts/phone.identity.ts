import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countriesOf } from '../../lib/trunk-prefix.ts';
import { callingCodeOf, internationalIdentity, isInternational, withoutSeparators } from './phone.ts';

/** Where a national number is dialled: the country, which also says how one dials abroad from there, or the calling code
 *  alone where no country has it. Nowhere, for what is not a phone number and for a code that is not in use yet. */
const placeOf = (near: string | undefined) => {
  const code = near !== undefined && isInternational(near) ? callingCodeOf(near) : undefined;
  const countries = code === undefined ? undefined : countriesOf(code);
  if (code === undefined || countries === undefined) return {};
  const [country] = countries;
  return country === undefined ? { defaultCallingCode: code } : { defaultCountry: country };
};

/** Fewer digits are a short code of a provider, not a person. */
const MIN_DIGITS = 7;

/** The identity (E.164) of a number in whatever writing, national ones read as dialled from where `near` is; undefined
 *  where the text is no number that could be called. The prefix 00 is understood everywhere. */
export const identityOf = (text: string, near?: string): string | undefined => {
  const identity = internationalIdentity(text);
  if (identity !== undefined) return identity;
  if (text.replace(/\D/g, '').length < MIN_DIGITS) return undefined;
  const parsed = parsePhoneNumberFromString(text, { extract: false, ...placeOf(near) });
  const read = parsed?.isPossible() ? internationalIdentity(parsed.number) : undefined;
  return read ?? internationalIdentity(withoutSeparators(text).replace(/^00/, '+'));
};
