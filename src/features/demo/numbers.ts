import type { Dice } from './dice.ts';

/** Phone numbers that a country has reserved for fiction and examples. */
interface Range {
  readonly prefix: string;
  readonly from: number;
  readonly to: number;
  readonly digits: number;
}

const thousand = (prefix: string): Range => ({ prefix, from: 0, to: 999, digits: 3 });

/** 555-0100 to 555-0199 of every area code. */
const american = [
  206, 212, 213, 215, 303, 305, 312, 313, 404, 415, 416, 503, 504, 512, 514, 602, 604, 612, 617, 619, 702,
  713, 718, 801, 808, 901, 919,
].map((area) => ({ prefix: `+1${area}5550`, from: 100, to: 199, digits: 3 }));

const ranges = {
  america: american,
  // London, no place in particular, and mobile phones.
  britain: ['+442079460', '+441632960', '+447700900'].map(thousand),
  // Berlin, Frankfurt, Hamburg, Cologne, Munich.
  germany: ['+493023125', '+496990009', '+494066969', '+492214710', '+498999998'].map(thousand),
  sweden: [{ prefix: '+4670174', from: 605, to: 699, digits: 4 }],
};

const SHARES = { america: 62, britain: 22, germany: 12, sweden: 4 };

/** Returns a generator of unique numbers, except those in `taken`. */
export const createNumbers = (dice: Dice, taken: readonly string[]): (() => string) => {
  const given = new Set(taken);
  return () => {
    for (;;) {
      const { prefix, from, to, digits } = dice.pick<Range>(ranges[dice.weighted(SHARES)]);
      const number = prefix + String(dice.between(from, to)).padStart(digits, '0');
      if (given.has(number)) continue;
      given.add(number);
      return number;
    }
  };
};

/** +14155550132 becomes (415) 555-0132. */
export const nationalFormat = (number: string): string =>
  `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
