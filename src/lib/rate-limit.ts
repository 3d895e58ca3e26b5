/** How many requests are let through in how long. */
export interface Rate {
  readonly quota: number;
  readonly windowMs: number;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const MAX_WINDOW_MS = 24 * UNITS.h;

export const RATE_FORM =
  'must be a number from 1 to 1000000, a slash, and a time in s, m or h of up to a day, for example 600/1m';

/** A rate as it is configured, `600/1m`; undefined for any other text. */
export const parseRate = (text: string): Rate | undefined => {
  const [, number, times, unit] = /^(\d{1,7})\/(\d{1,5})([smh])$/.exec(text) ?? [];
  const quota = Number(number);
  const windowMs = Number(times) * UNITS[unit as keyof typeof UNITS];
  const fits = quota >= 1 && quota <= 1_000_000 && windowMs > 0 && windowMs <= MAX_WINDOW_MS;
  return fits ? { quota, windowMs } : undefined;
};

/** What became of one who asked: whether there was room, and in how long all of the quota is there again. */
export interface RateDecision {
  readonly isAllowed: boolean;
  readonly resetMs: number;
}

/** Each request uses up the quota of this long. */
export const requestCostMs = ({ quota, windowMs }: Rate): number => windowMs / quota;

/** Divisions by a cost that is no whole number may end a hair below one. */
const HAIR = 1e-6;

export const remainingQuota = (rate: Rate, resetMs: number): number =>
  Math.max(0, Math.floor((rate.windowMs - resetMs) / requestCostMs(rate) + HAIR));

/** In how long there is room for one more. */
export const retryDelayMs = (rate: Rate, resetMs: number): number =>
  Math.max(0, resetMs + requestCostMs(rate) - rate.windowMs);

/** The generic cell rate algorithm. It stores one time for each caller: when its whole quota is available again. Each request
 *  moves that time by its cost, and a request that would move it beyond a window from now is refused. So a caller can use
 *  its quota in a burst, and it comes back evenly; there is no window border at which two quotas pass together. A time
 *  beyond a window was written under another rate or another clock, and counts as the window's end. */
export const consume = (
  until: number,
  rate: Rate,
  now: number,
): RateDecision & { readonly until: number } => {
  const resetMs = Math.min(Math.max(until - now, 0), rate.windowMs);
  const isAllowed = remainingQuota(rate, resetMs) > 0;
  const after = isAllowed ? resetMs + requestCostMs(rate) : resetMs;
  return { isAllowed, resetMs: after, until: now + after };
};

const MAX_CALLERS = 100_000;

/** What callers have used of their rates, in memory and of bounded size: those whose quota is whole again are forgotten
 *  first, then those who were first heard of longest ago. */
export class RateLimiter {
  readonly #untils = new Map<string, number>();
  readonly #most: number;

  constructor(most = MAX_CALLERS) {
    this.#most = most;
  }

  get size(): number {
    return this.#untils.size;
  }

  consume(caller: string, rate: Rate, now = performance.now()): RateDecision {
    const taken = consume(this.#untils.get(caller) ?? now, rate, now);
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
