/** A seeded random number generator. */
export interface Dice {
  /** From 0 to 1, exclusive. */
  roll(): number;
  /** An integer from `from` to `to`, inclusive. */
  between(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A name, with a probability proportional to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  hex(digits: number): string;
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
  const pick = <T>(list: readonly T[]): T => list[between(0, list.length - 1)] as T;
  return {
    roll,
    between,
    pick,
    chance: (share) => roll() < share,
    weighted: <T extends string>(weights: Readonly<Record<T, number>>) => {
      const entries = Object.entries(weights) as [T, number][];
      let rest = roll() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      const found = entries.find(([, weight]) => {
        rest -= weight;
        return rest < 0;
      });
      return (found ?? (entries[0] as [T, number]))[0];
    },
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
};

/** A UUIDv7 with the given time. */
export const uuidAt = (dice: Dice, at: number): string => {
  const time = Math.floor(at).toString(16).padStart(12, '0');
  const variant = dice.pick(['8', '9', 'a', 'b']);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${dice.hex(3)}-${variant}${dice.hex(3)}-${dice.hex(12)}`;
};
