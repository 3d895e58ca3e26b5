/** A seeded random number generator, so that the sample data is the same every time. */
export interface Dice {
  /** From 0 to 1, exclusive. */
  roll(): number;
  /** An integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A name, with a probability proportional to its weight. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T;
}

export const createDice = (seed: number): Dice => {
  let state = seed >>> 0;
  /** Mulberry32: small, and random enough for sample data. */
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(roll() * (to - from + 1));
  return {
    roll,
    between,
    pick: (list) => list[between(0, list.length - 1)] as never,
    chance: (share) => roll() < share,
    weighted: (weights) => {
      const entries = Object.entries(weights) as [string, number][];
      let rest = roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        rest -= weight;
        if (rest < 0) return name as never;
      }
      return entries[0]?.[0] as never;
    },
  };
};
