import { loadChunk } from '../api/load-chunk.ts';
import { t } from '../lib/i18n.ts';

export type PhoneLibrary = typeof import('libphonenumber-js/min');
type Country = import('libphonenumber-js/min').CountryCode;

let loading: Promise<PhoneLibrary> | undefined;
/** After a failure, the next call loads it again. */
export const loadPhoneLibrary = (): Promise<PhoneLibrary> => {
  loading ??= loadChunk(() => import('libphonenumber-js/min')).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

export const ASK_COUNTRY = t('Which country is this number from?');

const NOT_A_NUMBER = t('Enter a valid phone number.');

const PROBLEMS: Record<string, string> = {
  TOO_SHORT: t('This number looks too short.'),
  TOO_LONG: t('This number looks too long.'),
  INVALID_COUNTRY: t('Unknown country code.'),
  NOT_A_NUMBER,
};

/** A typed number as it is displayed, and in E.164 format, which is empty while there is a problem. A number
 *  without a country code is parsed only for a country that was selected. */
export interface TypedNumber {
  readonly shown: string;
  readonly number: string;
  readonly problem?: string;
}

const isInternational = (typed: string) => /^\s*(?:\+|00)/.test(typed);

/** Whether a number has no country code. */
export const isNational = (typed: string): boolean => /\d/.test(typed) && !isInternational(typed);

export const readNumber = (
  library: PhoneLibrary | undefined,
  typed: string,
  country: string | null | undefined,
): TypedNumber => {
  if (typed.trim() === '') return { shown: '', number: '' };
  if (!/[\d+]/.test(typed)) return { shown: typed, number: '', problem: NOT_A_NUMBER };
  const national = isNational(typed);
  if (national && !country) return { shown: typed, number: '', problem: ASK_COUNTRY };
  const text = national ? typed.trim() : typed.trim().replace(/^00/, '+');
  if (!library) {
    return national ? { shown: typed, number: '' } : { shown: typed, number: `+${text.replace(/\D/g, '')}` };
  }
  const home = national ? (country as Country) : undefined;
  const shown = new library.AsYouType(home).input(text);
  const reason = library.validatePhoneNumberLength(text, home);
  if (reason)
    return { shown, number: '', problem: PROBLEMS[reason] ?? t('This number has an invalid length.') };
  const number = library.parsePhoneNumberFromString(text, {
    extract: false,
    ...(home && { defaultCountry: home }),
  });
  return number ? { shown, number: number.number } : { shown, number: '', problem: NOT_A_NUMBER };
};
