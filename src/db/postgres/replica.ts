import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, QueryConfig } from 'pg';
import { Semaphore } from '../../lib/concurrency.ts';
import { ApiError } from '../../lib/errors.ts';
import type { StateLog } from '../../lib/log.ts';
import { counter, gauge, type Metric } from '../../lib/metric.ts';
import type { RunRecorder } from '../../lib/run-counters.ts';
import { DatabaseSetupError } from '../database.ts';
import type { RunAsync } from '../operation.ts';
import { inOnePacket, PostgresDb, type Queryable, withClient } from './connection.ts';
import { asUnavailable, codeOf, isStaleStatement } from './errors.ts';
import { PoolSockets } from './pool-sockets.ts';
import {
  type DatabaseIdentity,
  findProblem,
  isBehind,
  openReplica,
  readIdentity,
  readLogPosition,
  waitForReplay,
} from './replica-state.ts';
import { hostsOf, Servers } from './servers.ts';
import { LONG_MS } from './transaction.ts';

const CHECK_INTERVAL_MS = 1_000;
const CLOSE_MS = 1_000;
/** How long a read waits for replay before the primary answers it. */
const REPLAY_WAIT_MS = 100;

/** Read committed: each statement has a snapshot that is newer than the check of the position before it. */
const BEGIN = 'begin isolation level read committed, read only';

const STATEMENT_TIMEOUT = '57014';
/** Replay has cancelled the read, because it removes rows that the read may still need. */
const RECOVERY_CONFLICT = '40001';

/** The replica has not replayed all acknowledged writes, or is no longer a standby. */
class NotReplayed extends Error {}

export interface ReplicaOptions {
  readonly url: string;
  /** Its size is also that of the pool of the replica. */
  readonly primary: Pool;
  readonly onFault: (error: Error) => void;
  readonly log: StateLog;
  readonly task: RunRecorder;
}

/** Long reads on a replica. A read sees every write that was acknowledged before it began, by any instance: it asks the
 *  primary for its position in the log and waits until the replica has replayed it. The primary answers if that takes
 *  long, and in every other case in which the replica cannot. A check every second decides whether the replica is used, so
 *  that reads do not wait for one that is lost or far behind. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #servers: Servers;
  readonly #identity: DatabaseIdentity;
  readonly #sockets = new PoolSockets();
  readonly #poolSize: number;
  /** Open since the last failure. */
  #pool: Pool | undefined;
  #isUsable = false;
  #isClosed = false;
  #lagBytes = 0;
  /** By server: the state that was last logged. */
  readonly #logged = new Map<string, string | undefined>();
  #reads = { replica: 0, primary: 0 };
  readonly #slots: Semaphore;

  /** Throws if the server is not a replica of the primary. A server that cannot be reached is used when it can. */
  static async open(options: ReplicaOptions): Promise<Replica> {
    const identity = await readIdentity(options.primary);
    if (identity.is_citus)
      throw new DatabaseSetupError(
        'DATABASE_REPLICA_URL cannot be used with Citus, because the log of the coordinator does not contain the writes of the workers. Remove it.',
      );
    const replica = new Replica(options, identity);
    for (const _ of replica.#servers.urls) {
      await replica.#check();
      if (replica.#isUsable) break;
    }
    replica.#checkAtIntervals();
    return replica;
  }

  private constructor(options: ReplicaOptions, identity: DatabaseIdentity) {
    this.#options = options;
    this.#identity = identity;
    this.#servers = new Servers(options.url);
    this.#poolSize = options.primary.options.max;
    this.#slots = new Semaphore(this.#poolSize);
  }

  /** Runs long reads on the replica if possible, else with `onPrimary`. */
  prefer(onPrimary: RunAsync, primary: Queryable): RunAsync {
    const runOnPrimary: RunAsync = (...call) => {
      this.#reads.primary++;
      return onPrimary(...call);
    };
    const run: RunAsync = async (operation, principal, input) => {
      const pool = this.#pool;
      // It may have been lost while the read waited.
      if (!pool || !this.#isUsable) return runOnPrimary(operation, principal, input);
      try {
        const position = await readLogPosition(primary);
        const value = await withClient(pool, async (client) => {
          const [, state] = await inOnePacket(client, () =>
            Promise.all([client.query(BEGIN), waitForReplay(client, position, REPLAY_WAIT_MS)]),
          );
          if (findProblem(state)) throw new NotReplayed();
          const read = await operation(new PostgresDb(client, { timeoutMs: LONG_MS }), principal, input);
          await client.query({ text: 'commit', query_timeout: LONG_MS } as QueryConfig);
          return read;
        });
        this.#reads.replica++;
        return value;
      } catch (error) {
        if (error instanceof ApiError) throw error;
        // The primary would need as long.
        if (codeOf(error) === STATEMENT_TIMEOUT) throw asUnavailable(error);
        this.#reconsider(error);
        return runOnPrimary(operation, principal, input);
      }
    };
    return (...call) => (this.#isUsable ? this.#slots.run(() => run(...call)) : runOnPrimary(...call));
  }

  /** The number of reads that wait for a connection. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  metrics(): Metric[] {
    const { replica, primary } = this.#reads;
    return [
      gauge(
        'roster_postgres_replica_up',
        'Whether long reads of all serving threads use the replica.',
        this.#isUsable ? 1 : 0,
        { merge: 'min' },
      ),
      gauge(
        'roster_postgres_replica_lag_bytes',
        'Bytes of the log that the replica had not replayed at the last check that reached it.',
        this.#lagBytes,
        { merge: 'max' },
      ),
      counter('roster_postgres_long_reads_total', 'Long reads by the server that answered them.', [
        ['target="replica"', replica],
        ['target="primary"', primary],
      ]),
    ];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isUsable = false;
    // A server that does not answer must not delay the stop.
    const timer = setTimeout(() => this.#sockets.destroyAll(), CLOSE_MS);
    await this.#pool?.end();
    clearTimeout(timer);
  }

  /** After a read failed on the replica. Until the next check, reads use the primary, unless only that read is affected. */
  #reconsider(error: unknown): void {
    if (codeOf(error) === RECOVERY_CONFLICT || isStaleStatement(error)) return;
    this.#isUsable = false;
    const isExpected = error instanceof NotReplayed || asUnavailable(error) !== error;
    if (!isExpected) this.#options.onFault(error as Error);
  }

  async #checkAtIntervals(): Promise<void> {
    for (;;) {
      await pause(CHECK_INTERVAL_MS, undefined, { ref: false });
      if (this.#isClosed) return;
      await this.#check().catch(() => {});
    }
  }

  /** Finds out whether the current server can be used. If not, the next check tries the next server. Throws if it is not a
   *  replica of the primary. */
  async #check(): Promise<void> {
    const began = performance.now();
    const url = this.#servers.current;
    const position = await readLogPosition(this.#options.primary).catch(() => undefined);
    if (!position) {
      // The primary is busy or lost, which says nothing about the replica. Reads that run on it continue.
      this.#isUsable = false;
      this.#options.task.record((performance.now() - began) / 1000, true);
      return;
    }
    let fault: unknown;
    try {
      // One connection more than reads can use, for this check.
      const [sockets, size] = [this.#sockets, this.#poolSize + 1];
      if (!this.#pool) sockets.reset();
      this.#pool ??= await openReplica(url, this.#identity, { sockets, size });
      const state = await waitForReplay(this.#pool, position, REPLAY_WAIT_MS);
      if (Number.isFinite(state.lag_bytes)) this.#lagBytes = Math.max(0, state.lag_bytes);
      const problem = findProblem(state);
      this.#isUsable = !problem;
      // A metric shows how far it is behind.
      if (!isBehind(state)) this.#logState(url, problem);
      if (this.#isClosed) this.#discardPool();
    } catch (error) {
      fault = error;
      this.#logState(url, (error as Error).message);
      this.#discardPool();
      this.#sockets.destroyAll();
    }
    this.#options.task.record((performance.now() - began) / 1000, !this.#isUsable);
    if (!this.#isUsable && this.#servers.urls.length > 1) {
      this.#discardPool();
      this.#servers.current = this.#servers.after(url);
    }
    if (fault instanceof DatabaseSetupError) throw fault;
  }

  /** Reads that run on the replica are completed. */
  #discardPool(): void {
    this.#isUsable = false;
    this.#pool?.end().catch(() => {});
    this.#pool = undefined;
  }

  /** Logs why a server is not used, or that it is, once and not at every check. The queries of a check contain no data of
   *  callers, so that the message of an error can be logged. */
  #logState(url: string, reason: string | undefined): void {
    if (this.#isClosed || (this.#logged.has(url) && this.#logged.get(url) === reason)) return;
    this.#logged.set(url, reason);
    const server = hostsOf(url);
    if (reason) this.#options.log.warn('replica not used', { server, reason });
    else this.#options.log.info('replica used', { server });
  }
}
