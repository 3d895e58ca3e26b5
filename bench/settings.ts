/** How much is measured, and for how long. A quick run shows that everything works; its figures prove nothing. */
export const settings = {
  whole: {
    contacts: 100_000,
    small: 10_000,
    large: 1_000_000,
    neighbours: 1_000,
    deepOffset: 900_000,
    /** For the first table. Without a long warm-up, code that is still being compiled would be measured. */
    rounds: { rounds: 5, seconds: 2, warmUp: 4 },
    /** For the other tables. */
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

type Known = (typeof settings)['whole' | 'quick'];

export type Settings = Omit<Known, 'deepOffset'> & { readonly deepOffset: number };

export const CONNECTIONS = 32;

/** Enough further serving threads that the memory of one can be told from what differs between two starts. */
export const FURTHER_THREADS = 3;
