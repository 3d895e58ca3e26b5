import type { QueryConfig } from 'pg';
import { type Rate, type RateDecision, requestCostMs, retryDelayMs } from '../../lib/rate-limit.ts';
import { statementName } from '../statement.ts';
import type { RateLimitKey, Rates } from '../storage.ts';
import type { Queryable } from './connection.ts';
import { asUnavailable } from './errors.ts';

const NOW = '(extract(epoch from statement_timestamp()) * 1000)::float8';
const RESET_MS = 'least(greatest(used.until - excluded.requested_at, 0), $4::float8)';
const AVAILABLE = `floor(($4::float8 - ${RESET_MS}) / $5::float8 + 1e-6)::int`;
/** Nothing if less than $6 requests are available. */
const GRANTED = `case when ${AVAILABLE} >= $6::int then least($3::int, ${AVAILABLE}) else 0 end`;

/** The algorithm of lib/rate-limit.ts for several requests together, by the clock of the server that all instances share.
 *  Only the inserted values contain the clock: a distributed PostgreSQL refuses it in an update or a result. */
const CONSUME_SQL = `insert into rate_limits as used (workspace_id, key_id, until, granted, requested_at)
  values ($1, $2, ${NOW} + $3::int * $5::float8, $3::int, ${NOW})
  on conflict (workspace_id, key_id) do update
  set until = excluded.requested_at + ${RESET_MS} + ${GRANTED} * $5::float8, granted = ${GRANTED},
    requested_at = excluded.requested_at
  returning granted, until - requested_at as reset_ms`;
const CONSUME = { name: statementName(CONSUME_SQL), text: CONSUME_SQL };

/** A connection that does not answer such a small query in this time is considered dead. */
const TIMEOUT_MS = 4_500;

interface Consumed {
  readonly granted: number;
  readonly reset_ms: number;
}

interface Waiting {
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** The connections for statements of a workspace. */
type ConnectionsOf = (workspace: number) => Queryable;

/** The limit of one key. Requests that arrive while a statement is in flight share the next one, so that a busy key costs
 *  one statement per round trip, not per request. */
class SharedLimit {
  readonly #connections: ConnectionsOf;
  readonly #key: RateLimitKey;
  #waiting: Waiting[] = [];
  #isQuerying = false;
  /** Until then the quota is used up, and the server is not queried. */
  #emptyUntil = 0;

  constructor(connections: ConnectionsOf, key: RateLimitKey) {
    this.#connections = connections;
    this.#key = key;
  }

  async consume(rate: Rate, count = 1): Promise<RateDecision> {
    const wait = this.#emptyUntil - performance.now();
    if (wait > 0) {
      const resetMs = wait + rate.windowMs - requestCostMs(rate);
      return { isAllowed: false, resetMs };
    }
    if (count > 1) return this.#consumeWhole(rate, count);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isQuerying) this.#run(rate);
    });
  }

  async #consumeWhole(rate: Rate, count: number): Promise<RateDecision> {
    try {
      const { granted, reset_ms } = await this.#query(rate, count, count);
      return { isAllowed: granted === count, resetMs: reset_ms };
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  async #run(rate: Rate): Promise<void> {
    this.#isQuerying = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        this.#settle(batch, rate, await this.#query(rate, batch.length));
      } catch (error) {
        for (const { reject } of batch) reject(asUnavailable(error));
      }
    }
    this.#isQuerying = false;
  }

  async #query(rate: Rate, count: number, least = 0): Promise<Consumed> {
    const { workspace, actor } = this.#key;
    const most = Math.min(count, rate.quota);
    const values = [workspace, actor, most, rate.windowMs, requestCostMs(rate), least];
    const config = { ...CONSUME, values, query_timeout: TIMEOUT_MS } as QueryConfig;
    return (await this.#connections(workspace).query(config)).rows[0];
  }

  /** Each request gets the decision that it would have got alone. */
  #settle(batch: readonly Waiting[], rate: Rate, { granted, reset_ms }: Consumed) {
    if (granted < batch.length) this.#emptyUntil = performance.now() + retryDelayMs(rate, reset_ms);
    batch.forEach(({ resolve }, at) => {
      const after = Math.max(0, granted - 1 - at) * requestCostMs(rate);
      resolve({ isAllowed: at < granted, resetMs: reset_ms - after });
    });
  }
}

/** Rate limits that all instances on one server share. */
export const sharedRates = (connections: ConnectionsOf): Rates => {
  const limits = new Map<string, SharedLimit>();
  return {
    consume: (key, rate, count) => {
      const name = `${key.workspace} ${key.actor}`;
      return limits.getOrInsertComputed(name, () => new SharedLimit(connections, key)).consume(rate, count);
    },
  };
};
