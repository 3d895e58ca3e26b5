import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { callingCodeOf, isInternational, withoutSeparators } from './phone.ts';

/** What libphonenumber knows of calling codes; the countries of one come with the main one first. Its types leave these
 *  methods out. */
const metadata = new Metadata() as Metadata & {
  hasCallingCode(code: string): boolean;
  getCountryCodesForCallingCode(code: string): CountryCode[] | undefined;
};

/** Where a national number is dialled: the country, which also says how one dials abroad from there, or the calling code
 *  alone where no country has it. Nowhere, for what is no phone number and for a code that is not in use yet. */
const placeOf = (near: string | undefined) => {
  const code = near !== undefined && isInternational(near) ? callingCodeOf(near) : undefined;
  if (code === undefined || !metadata.hasCallingCode(code)) return {};
  const [country] = metadata.getCountryCodesForCallingCode(code) ?? [];
  return country === undefined ? { defaultCallingCode: code } : { defaultCountry: country };
};

/** Fewer digits are a short code of a provider, not a person. */
const SHORTEST = 7;

/** The identity (E.164) of a number in whatever writing, national ones read as dialled from where `near` is; undefined
 *  where the text is no number that could be called. The prefix 00 is understood everywhere. */
export const identityOf = (text: string, near?: string): string | undefined => {
  if (isInternational(text)) return text;
  if (text.replace(/\D/g, '').length < SHORTEST) return undefined;
  const parsed = parsePhoneNumberFromString(text, { extract: false, ...placeOf(near) });
  if (parsed?.isPossible() && isInternational(parsed.number)) return parsed.number;
  const abroad = withoutSeparators(text).replace(/^00/, '+');
  return isInternational(abroad) ? abroad : undefined;
};
