export interface Rate {
  readonly quota: number;
  readonly windowMs: number;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const MAX_WINDOW_MS = 24 * UNITS.h;

export const RATE_FORM =
  'must be a number from 1 to 1000000, a slash, and a time in s, m or h of up to a day, for example 600/1m';

/** Parses a configured rate such as `600/1m`; undefined for any other text. */
export const parseRate = (text: string): Rate | undefined => {
  const [, number, times, unit] = /^(\d{1,7})\/(\d{1,5})([smh])$/.exec(text) ?? [];
  const quota = Number(number);
  const windowMs = Number(times) * UNITS[unit as keyof typeof UNITS];
  const fits = quota >= 1 && quota <= 1_000_000 && windowMs > 0 && windowMs <= MAX_WINDOW_MS;
  return fits ? { quota, windowMs } : undefined;
};

export interface RateDecision {
  readonly isAllowed: boolean;
  /** Time until the whole quota is available again. */
  readonly resetMs: number;
}

/** The time in which the quota of one request is restored. */
export const requestCostMs = ({ quota, windowMs }: Rate): number => windowMs / quota;

/** Absorbs rounding errors of divisions by a fractional cost. */
const EPSILON = 1e-6;

export const remainingQuota = (rate: Rate, resetMs: number): number =>
  Math.max(0, Math.floor((rate.windowMs - resetMs) / requestCostMs(rate) + EPSILON));

/** The time until the quota of a request is available. */
export const retryDelayMs = (rate: Rate, resetMs: number): number =>
  Math.max(0, resetMs + requestCostMs(rate) - rate.windowMs);

/** The generic cell rate algorithm. It stores one time for each caller: when its whole quota is available again. Each
 *  request moves that time by its cost; a request that would move it more than one window ahead is rejected. A caller can
 *  use its quota in a burst, and the quota is restored evenly. A stored time more than one window ahead was written under
 *  another rate or clock, and is treated as one window ahead. */
export const consume = (
  until: number,
  rate: Rate,
  now: number,
): RateDecision & { readonly until: number } => {
  const resetMs = Math.min(Math.max(until - now, 0), rate.windowMs);
  const isAllowed = remainingQuota(rate, resetMs) >= 1;
  const after = isAllowed ? resetMs + requestCostMs(rate) : resetMs;
  return { isAllowed, resetMs: after, until: now + after };
};

const MAX_CALLERS = 100_000;

/** Rate limits in memory, of bounded size. Evicts callers with a full quota first, then the oldest ones. */
export class RateLimiter {
  readonly #untils = new Map<string, number>();
  readonly #maxCallers: number;

  constructor(maxCallers = MAX_CALLERS) {
    this.#maxCallers = maxCallers;
  }

  get size(): number {
    return this.#untils.size;
  }

  consume(caller: string, rate: Rate, now = performance.now()): RateDecision {
    const decision = consume(this.#untils.get(caller) ?? now, rate, now);
    if (!this.#untils.has(caller) && this.#untils.size >= this.#maxCallers) this.#makeRoom(now);
    this.#untils.set(caller, decision.until);
    return decision;
  }

  #makeRoom(now: number) {
    for (const [caller, until] of this.#untils) if (until <= now) this.#untils.delete(caller);
    const room = Math.ceil(this.#maxCallers / 10);
    for (const caller of this.#untils.keys()) {
      if (this.#untils.size <= this.#maxCallers - room) return;
      this.#untils.delete(caller);
    }
  }
}
