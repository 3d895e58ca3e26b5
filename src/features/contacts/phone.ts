import { countriesOf, withoutTrunkPrefix } from '../../lib/trunk-prefix.ts';

/** Assigned to Vatican City, which uses +39 instead. The library does not know it. */
const VATICAN_CITY = '379';

const INTERNATIONAL = /^\+[0-9]{7,15}$/;
/** The form of an international number. It says nothing about calling codes and trunk prefixes. */
export const E164_PATTERN = INTERNATIONAL.source;
const SEPARATORS = /[\s.\-()[\]{}/\u2010-\u2015]/g;

/** The assigned calling code (ITU-T E.164) that an international number begins with. No code is the beginning of another. */
export const callingCodeOf = (number: string): string | undefined => {
  for (let end = 2; end <= 4; end++) {
    const code = number.slice(1, end);
    if (countriesOf(code) || code === VATICAN_CITY) return code;
  }
  return undefined;
};

/** Whether a text is an international number: `+`, an assigned calling code, 7 to 15 digits in all, nothing else. */
export const isInternational = (text: string): boolean =>
  INTERNATIONAL.test(text) && callingCodeOf(text) !== undefined;

/** The identity (E.164) of an international number in any format: without separators, and without a trunk prefix after the
 *  country code. Undefined for any other text. Every write uses this rule. */
export const internationalIdentity = (text: string): string | undefined => {
  if (isInternational(text)) return withoutTrunkPrefix(text);
  const bare = withoutSeparators(text);
  return isInternational(bare) ? withoutTrunkPrefix(bare) : undefined;
};

export const withoutSeparators = (text: string): string => text.replace(SEPARATORS, '');

const EXAMPLE = 'for example +14155550100';

/** What is wrong with the phone number of a request and what to send instead; undefined if it is valid. */
export const phoneProblem = (text: string): string | undefined => {
  const identity = internationalIdentity(text);
  if (identity === text) return undefined;
  const bare = withoutSeparators(text);
  if (identity !== undefined) {
    return identity === bare
      ? `must not contain spaces, dots, dashes or brackets. Send ${identity}.`
      : `must not have a national trunk prefix after the country code. Send ${identity}.`;
  }
  if (!text.startsWith('+')) {
    return `must be an international number that starts with + and the country code, ${EXAMPLE}.`;
  }
  if (!/^\+\d*$/.test(bare)) return `must contain only + and digits, ${EXAMPLE}.`;
  const digits = bare.length - 1;
  if (digits < 7 || digits > 15) return `must have 7 to 15 digits after the +; this number has ${digits}.`;
  return `must start with + and an assigned country code, ${EXAMPLE}.`;
};

const PHONE_LIKE = /^[\d\s+.\-()[\]{}/\u2010-\u2015]*$/;

/** The searchable form of a number: its digits, and the `+` if it has one. */
export const dialled = (text: string): string => text.replace(/[^\d+]/g, '');

/** The part of a phone number that a search asks for; null if the search cannot be one. */
export const phoneNeedle = (search: string): string | null => {
  const needle = PHONE_LIKE.test(search) ? dialled(search) : '';
  return /\d/.test(needle) ? needle : null;
};
