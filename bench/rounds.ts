import type { Sample } from './load.ts';

/** The median of several measurements, and their range. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const median = (at(0.5) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN)) / 2;
  return { median, low: at(0), high: at(1) };
};

/** The function that measures each contestant, by its name. */
export type Contestants<Name extends string> = Record<Name, (seconds: number) => Promise<Sample>>;
/** The measurements of each round, by the contestant's name. */
export type Rounds<Name extends string> = Record<Name, Sample>[];

/** The number of rounds, their seconds, and the seconds of warm-up for each contestant. */
export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** Measures contestants in turns after a warm-up of each, so that other load on the machine affects all of them alike. Every
 *  round starts with a different one. */
export const runRounds = async <Name extends string>(
  contestants: Contestants<Name>,
  { rounds, seconds, warmUp }: RoundOptions,
): Promise<Rounds<Name>> => {
  const names = Object.keys(contestants) as Name[];
  for (const name of names) await contestants[name](warmUp);
  const measured: Rounds<Name> = [];
  for (let round = 0; round < rounds; round++) {
    const samples = {} as Record<Name, Sample>;
    const order = names.map((_, at) => names[(at + round) % names.length] as Name);
    for (const name of order) samples[name] = await contestants[name](seconds);
    measured.push(samples);
  }
  return measured;
};

/** The ratio of one contestant to another in each round. */
export const ratioOf = <Name extends string>(
  rounds: Rounds<Name>,
  { of, to, by }: { of: Name; to: Name; by: 'rate' | 'p50' | 'p99' },
): Spread => spreadOf(rounds.map((round) => round[of][by] / round[to][by]));

/** The results of one contestant in all rounds. */
export const spreadOver = <Name extends string>(
  rounds: Rounds<Name>,
  of: Name,
  by: 'rate' | 'p50' | 'p99',
): Spread => spreadOf(rounds.map((round) => round[of][by]));
