import type { QueryConfig } from 'pg';
import { type Rate, type RateDecision, requestCostMs, retryDelayMs } from '../../lib/rate-limit.ts';
import { statementName } from '../statement.ts';
import type { ConsumeQuota, RateLimitKey } from '../storage.ts';
import type { Queryable } from './connection.ts';
import { asUnavailable } from './errors.ts';
import { SHORT_MS } from './transaction.ts';

const NOW = '(extract(epoch from statement_timestamp()) * 1000)::float8';
const RESET_MS = 'least(greatest(used.until - excluded.requested_at, 0), $4::float8)';
const GRANTED = `least($3::int, floor(($4::float8 - ${RESET_MS}) / $5::float8 + 1e-6)::int)`;

/** The algorithm of lib/rate-limit.ts for several requests together, by the clock of the server that all instances share.
 *  Only the inserted values contain the clock: a distributed PostgreSQL refuses it in an update or a result. */
const CONSUME_SQL = `insert into rate_limits as used (workspace_id, key_id, until, granted, requested_at)
  values ($1, $2, ${NOW} + $3::int * $5::float8, $3::int, ${NOW})
  on conflict (workspace_id, key_id) do update
  set until = excluded.requested_at + ${RESET_MS} + ${GRANTED} * $5::float8, granted = ${GRANTED},
    requested_at = excluded.requested_at
  returning granted, until - requested_at as reset_ms`;
const CONSUME = { name: statementName(CONSUME_SQL), text: CONSUME_SQL };

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
const sharedLimit = (connections: ConnectionsOf, { workspace, actor }: RateLimitKey) => {
  let waiting: Waiting[] = [];
  let isQuerying = false;
  /** Until then the quota is used up, and the server is not queried. */
  let emptyUntil = 0;

  const query = async (rate: Rate, count: number): Promise<Consumed> => {
    const most = Math.min(count, rate.quota);
    const values = [workspace, actor, most, rate.windowMs, requestCostMs(rate)];
    const config = { ...CONSUME, values, query_timeout: SHORT_MS } as QueryConfig;
    try {
      return (await connections(workspace).query(config)).rows[0];
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  /** Each request gets the decision that it would have got alone. */
  const settle = (batch: readonly Waiting[], rate: Rate, { granted, reset_ms }: Consumed) => {
    if (granted < batch.length) emptyUntil = performance.now() + retryDelayMs(rate, reset_ms);
    batch.forEach(({ resolve }, at) => {
      const after = Math.max(0, granted - 1 - at) * requestCostMs(rate);
      resolve({ isAllowed: at < granted, resetMs: reset_ms - after });
    });
  };

  const run = async (rate: Rate): Promise<void> => {
    isQuerying = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        settle(batch, rate, await query(rate, batch.length));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isQuerying = false;
  };

  return async (rate: Rate): Promise<RateDecision> => {
    const wait = emptyUntil - performance.now();
    if (wait > 0) return { isAllowed: false, resetMs: wait + rate.windowMs - requestCostMs(rate) };
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      if (!isQuerying) run(rate);
    });
  };
};

/** Rate limits that all instances on one server share. */
export const sharedQuotas = (connections: ConnectionsOf): ConsumeQuota => {
  const limits = new Map<string, ReturnType<typeof sharedLimit>>();
  return (key, rate) => {
    const name = `${key.workspace} ${key.actor}`;
    return limits.getOrInsertComputed(name, () => sharedLimit(connections, key))(rate);
  };
};
