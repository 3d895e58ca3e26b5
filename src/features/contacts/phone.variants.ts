import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';

/* Numbers of one subscriber that differ by a digit of a national numbering plan. Networks and contact lists write both forms. Each is an
 * identity of its own: a write never changes one form into the other. */

/** A digit that the longer form has between two parts, which are regular expressions. */
interface ExtraDigit {
  readonly before: string;
  readonly digit: string;
  readonly after: string;
}

/** Sources:
 *  - Brazil: ANATEL, resolution 553/2010, and ITU-T E.129 for +55: mobile numbers have got a 9 before their eight digits. Numbers that
 *    begin with 2 to 5 are fixed lines, and 70, 77, 78 and 79 were trunked radio, which got none. The area codes are those of ANATEL,
 *    resolution 263/2001.
 *  - Argentina: the national numbering plan of ENACOM (resolution SC 46/97), and ITU-T E.129 for +54: a 9 before the area code of a
 *    mobile number, ten digits without it. Area codes are 11, and others whose first two digits are in the list.
 *  - Mexico: IFT, numbering plan of 2018, and ITU-T E.129 for +52: since 3 August 2019 no 1 is dialled before the ten digits of a
 *    mobile number. No area code begins with 0 or 1. */
const EXTRA_DIGITS: readonly ExtraDigit[] = [
  {
    before: '\\+55(?:[14689][1-9]|2[12478]|3[1-578]|5[1345]|7[134579])',
    digit: '9',
    after: '(?:[689][0-9]|7[1-6])[0-9]{6}',
  },
  { before: '\\+54', digit: '9', after: '(?:11[2-9]|(?:2[234689]|3[3-8])[0-9])[0-9]{7}' },
  { before: '\\+52', digit: '1', after: '[2-9][0-9]{9}' },
];

const FORMS = EXTRA_DIGITS.map(({ before, digit, after }) => ({
  long: new RegExp(`^(${before})${digit}(${after})$`),
  short: new RegExp(`^(${before})(${after})$`),
  digit,
}));

/** The other forms of an identity (E.164). Most have none. */
export const variantsOf = (identity: string): string[] =>
  FORMS.flatMap(({ long, short, digit }) => {
    const parts = long.exec(identity) ?? short.exec(identity);
    if (!parts) return [];
    const [, before, after] = parts;
    const shorter = `${before}${after}`;
    return [shorter === identity ? `${before}${digit}${after}` : shorter];
  });

type Find<T> = (identity: string) => MaybePromise<T | undefined>;

/** What `find` returns for the other forms of an identity, if it finds exactly one. */
export const findByVariant = <T>(identity: string, find: Find<T>): MaybePromise<T | undefined> => {
  const variants = variantsOf(identity);
  return variants.length === 0 ? undefined : findOnly(variants, find);
};

/** One after another: `find` may lock what it finds. */
const findOnly = async <T>(variants: readonly string[], find: Find<T>): Promise<T | undefined> => {
  const found: T[] = [];
  for (const variant of variants.toSorted()) {
    const one = await find(variant);
    if (one !== undefined) found.push(one);
  }
  return found.length === 1 ? found[0] : undefined;
};

/** Finds by an identity or, if there is nothing, by its other forms. */
export const findByNumber = <T>(identity: string, find: Find<T>): MaybePromise<T | undefined> =>
  chain(find(identity), (found) => found ?? findByVariant(identity, find));
