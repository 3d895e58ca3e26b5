import { withoutTrunkPrefix } from '../../lib/trunk-prefix.ts';

/** The country calling codes that are assigned, to countries and to services without a country (ITU-T E.164). No code
 *  is the beginning of another, so at most one fits a number. */
const CALLING_CODES = new Set(
  `1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66
  81 82 84 86 90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234
  235 236 237 238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263
  264 265 266 267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376
  377 378 379 380 381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593
  594 595 596 597 598 599 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 800
  808 850 852 853 855 856 870 878 880 881 882 883 886 888 960 961 962 963 964 965 966 967 968 970 971 972 973 974
  975 976 977 979 992 993 994 995 996 998`.split(/\s+/),
);

const INTERNATIONAL = /^\+[0-9]{7,15}$/;
/** The form of an international number. It says nothing about calling codes and trunk prefixes. */
export const E164_PATTERN = INTERNATIONAL.source;
const SEPARATORS = /[\s.\-()[\]{}/\u2010-\u2015]/g;

/** The assigned calling code that an international number begins with. */
export const callingCodeOf = (number: string): string | undefined => {
  for (let end = 2; end <= 4; end++) {
    const code = number.slice(1, end);
    if (CALLING_CODES.has(code)) return code;
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
