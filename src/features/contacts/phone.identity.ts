import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countriesOf } from '../../lib/trunk-prefix.ts';
import { callingCodeOf, internationalIdentity, isInternational, withoutSeparators } from './phone.ts';

/** Parser options for a number that is dialled from where the number `near` is: its country, which also determines the
 *  international prefix, or the calling code if it belongs to no country. Empty if `near` is not a phone number. */
const dialledFrom = (near: string | undefined) => {
  const code = near !== undefined && isInternational(near) ? callingCodeOf(near) : undefined;
  const countries = code === undefined ? undefined : countriesOf(code);
  if (code === undefined || countries === undefined) return {};
  const [country] = countries;
  return country === undefined ? { defaultCallingCode: code } : { defaultCountry: country };
};

/** A number with fewer digits is a provider's short code, not a contact. */
const MIN_DIGITS = 7;

/** The identity (E.164) of a number in any format; undefined if it cannot be called. A national number is read as dialled
 *  from where `near` is. The prefix 00 is accepted everywhere. */
export const identityOf = (text: string, near?: string): string | undefined => {
  const identity = internationalIdentity(text);
  if (identity !== undefined) return identity;
  if (text.replace(/\D/g, '').length < MIN_DIGITS) return undefined;
  const parsed = parsePhoneNumberFromString(text, { extract: false, ...dialledFrom(near) });
  const read = parsed?.isPossible() ? internationalIdentity(parsed.number) : undefined;
  return read ?? internationalIdentity(withoutSeparators(text).replace(/^00/, '+'));
};
