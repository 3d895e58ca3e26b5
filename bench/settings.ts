/** How much is measured, and for how long. A quick run shows that all works; its figures prove nothing. */
export const settings = {
  whole: {
    contacts: 100_000,
    small: 10_000,
    large: 1_000_000,
    neighbours: 1_000,
    deepOffset: 900_000,
    /** Of the first table. Code that is still being compiled would be measured without a long warm-up. */
    rounds: { rounds: 5, seconds: 2, warmUp: 4 },
    /** Of the others. */
    shortRounds: { rounds: 5, seconds: 2, warmUp: 2 },
  },
  quick: {
    contacts: 10_000,
    small: 2_000,
    large: 50_000,
    neighbours: 20,
    deepOffset: 45_000,
    rounds: { rounds: 3, seconds: 1, warmUp: 1 },
    shortRounds: { rounds: 3, seconds: 1, warmUp: 1 },
  },
} as const;

export type Settings = (typeof settings)['whole' | 'quick'];

export const CONNECTIONS = 32;
