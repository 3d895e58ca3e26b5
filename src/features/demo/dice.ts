/** A seeded random number generator, so that the sample data is the same every time. */
export const createDice = (seed: number) => {
  let state = seed >>> 0;
  /** From 0 to 1, exclusive. Mulberry32: small, and random enough for sample data. */
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer from `from` to `to`, inclusive. */
  const between = (from: number, to: number): number => from + Math.floor(roll() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T;
  return {
    roll,
    between,
    pick,
    chance: (share: number): boolean => roll() < share,
    /** A name, with a probability proportional to its weight, which is an integer. */
    weighted: <T extends string>(weights: Readonly<Partial<Record<T, number>>>): T => {
      const names = Object.keys(weights) as T[];
      return pick(names.flatMap((name) => Array<T>(weights[name] ?? 0).fill(name)));
    },
  };
};

export type Dice = ReturnType<typeof createDice>;
