/** Reproducible pseudorandom numbers: the same seed gives the same sequence. */
export class Random {
  #state: number;

  constructor(seed: string | number) {
    let state = 0x811c9dc5;
    for (const character of `${seed}`) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
    this.#state = state;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  letters(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(97 + this.below(26))).join('');
  }
}

/** A function that returns reproducible pseudorandom numbers, at least 0 and less than 1. */
export const seededRandom = (seed: number): (() => number) => {
  const random = new Random(seed);
  return () => random.next();
};
