import type { Pool, QueryConfig } from 'pg';
import { type Rate, type RateDecision, requestCostMs, retryDelayMs } from '../../lib/rate-limit.ts';
import type { Holder, Rates } from '../storage.ts';
import { asUnavailable } from './errors.ts';

const NOW = '(extract(epoch from statement_timestamp()) * 1000)::float8';
const AHEAD = `least(greatest(used.until - ${NOW}, 0), $4::float8)`;
const GRANTED = `least($3::int, floor(($4::float8 - ${AHEAD}) / $5::float8 + 1e-6))::int`;

/** The algorithm of lib/rate-limit.ts for several requests together, by the clock of the server, which all instances share. */
const TAKE = {
  name: 'roster_take',
  text: `insert into rate_limits as used (workspace_id, key_id, until, granted)
    values ($1, $2, ${NOW} + $3::int * $5::float8, $3::int)
    on conflict (workspace_id, key_id) do update
    set until = ${NOW} + ${AHEAD} + ${GRANTED} * $5::float8, granted = ${GRANTED}
    returning granted, until - ${NOW} as ahead`,
};

/** A connection that has not answered so small a query by then is dead. */
const TIMEOUT_MS = 4_500;

interface Waiting {
  readonly resolve: (taken: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** One limited key. Requests that arrive while a statement is in flight share the next one, so that a busy key costs one
 *  statement for each round trip, not for each request, and never gets more than its quota. */
class SharedKey {
  readonly #pool: Pool;
  readonly #holder: Holder;
  #waiting: Waiting[] = [];
  #isQuerying = false;
  /** The quota is used up until then, and the server is not queried. */
  #emptyUntil = 0;

  constructor(pool: Pool, holder: Holder) {
    this.#pool = pool;
    this.#holder = holder;
  }

  take(rate: Rate): Promise<RateDecision> {
    const wait = this.#emptyUntil - performance.now();
    if (wait > 0) {
      const resetMs = wait + rate.windowMs - requestCostMs(rate);
      return Promise.resolve({ isAllowed: false, resetMs });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isQuerying) this.#run(rate);
    });
  }

  async #run(rate: Rate): Promise<void> {
    this.#isQuerying = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting;
      this.#waiting = [];
      try {
        this.#settle(asked, rate, await this.#query(rate, asked.length));
      } catch (error) {
        for (const { reject } of asked) reject(asUnavailable(error));
      }
    }
    this.#isQuerying = false;
  }

  async #query(rate: Rate, count: number): Promise<{ granted: number; ahead: number }> {
    const { workspace, actor } = this.#holder;
    const values = [workspace, actor, Math.min(count, rate.quota), rate.windowMs, requestCostMs(rate)];
    const config = { ...TAKE, values, query_timeout: TIMEOUT_MS } as QueryConfig;
    return (await this.#pool.query(config)).rows[0];
  }

  /** Each request gets what is left after it, as if it had come alone. */
  #settle(asked: readonly Waiting[], rate: Rate, { granted, ahead }: { granted: number; ahead: number }) {
    if (granted < asked.length) this.#emptyUntil = performance.now() + retryDelayMs(rate, ahead);
    asked.forEach(({ resolve }, at) => {
      const after = Math.max(0, granted - 1 - at) * requestCostMs(rate);
      resolve({ isAllowed: at < granted, resetMs: ahead - after });
    });
  }
}

/** Rate limits that all instances on one server share. */
export const sharedRates = (pool: Pool): Rates => {
  const keys = new Map<string, SharedKey>();
  return {
    take: (holder, rate) => {
      const name = `${holder.workspace} ${holder.actor}`;
      const key = keys.get(name) ?? new SharedKey(pool, holder);
      keys.set(name, key);
      return key.take(rate);
    },
  };
};
