/** How many requests are let through in how long. */
export interface Rate {
  readonly quota: number;
  readonly windowMs: number;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const LONGEST_MS = 24 * UNITS.h;

export const RATE_FORM =
  'must be a number from 1 to 1000000, a slash, and a time in s, m or h of up to a day, for example 600/1m';

/** A rate as it is configured, `600/1m`; undefined for any other text. */
export const readRate = (text: string): Rate | undefined => {
  const [, number, times, unit] = /^(\d{1,7})\/(\d{1,5})([smh])$/.exec(text) ?? [];
  const quota = Number(number);
  const windowMs = Number(times) * UNITS[unit as keyof typeof UNITS];
  const fits = quota >= 1 && quota <= 1_000_000 && windowMs > 0 && windowMs <= LONGEST_MS;
  return fits ? { quota, windowMs } : undefined;
};

/** What became of one who asked: whether there was room, and in how long all of the quota is there again. */
export interface Taken {
  readonly isGranted: boolean;
  readonly aheadMs: number;
}

/** Each request uses up the quota of this long. */
export const costOf = ({ quota, windowMs }: Rate): number => windowMs / quota;

/** Divisions by a cost that is no whole number may end a hair below one. */
const HAIR = 1e-6;

export const leftOf = (rate: Rate, aheadMs: number): number =>
  Math.max(0, Math.floor((rate.windowMs - aheadMs) / costOf(rate) + HAIR));

/** In how long there is room for one more. */
export const waitOf = (rate: Rate, aheadMs: number): number =>
  Math.max(0, aheadMs + costOf(rate) - rate.windowMs);

/** The generic cell rate algorithm. All that is kept of a caller is the moment at which its whole quota is there again;
 *  each request moves it by its cost, and one that would move it further than a window from now is refused. So the quota
 *  may be used up at once and comes back evenly: no border lets two quotas through together. A moment beyond a window
 *  was written under another rate or another clock, and counts as the window's end. */
export const take = (until: number, rate: Rate, now: number): Taken & { readonly until: number } => {
  const aheadMs = Math.min(Math.max(until - now, 0), rate.windowMs);
  const isGranted = leftOf(rate, aheadMs) > 0;
  const after = isGranted ? aheadMs + costOf(rate) : aheadMs;
  return { isGranted, aheadMs: after, until: now + after };
};

const MOST_REMEMBERED = 100_000;

/** What callers have used of their rates, in memory and of bounded size: those whose quota is whole again are forgotten
 *  first, then those who were first heard of longest ago. */
export class RateBook {
  readonly #untils = new Map<string, number>();
  readonly #most: number;

  constructor(most = MOST_REMEMBERED) {
    this.#most = most;
  }

  get size(): number {
    return this.#untils.size;
  }

  take(caller: string, rate: Rate, now = performance.now()): Taken {
    const taken = take(this.#untils.get(caller) ?? now, rate, now);
    if (!this.#untils.has(caller) && this.#untils.size >= this.#most) this.#makeRoom(now);
    this.#untils.set(caller, taken.until);
    return taken;
  }

  #makeRoom(now: number) {
    for (const [caller, until] of this.#untils) if (until <= now) this.#untils.delete(caller);
    const room = Math.ceil(this.#most / 10);
    for (const caller of this.#untils.keys()) {
      if (this.#untils.size <= this.#most - room) return;
      this.#untils.delete(caller);
    }
  }
}
