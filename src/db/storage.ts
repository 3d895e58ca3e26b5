import type { MessagePort } from 'node:worker_threads';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Metric } from '../lib/metric.ts';
import type { Rate, RateDecision } from '../lib/rate-limit.ts';
import type { Pulse } from '../lib/thread-health.ts';
import type { Kind, Operation, Result } from './operation.ts';

/** The API key or user whose requests are counted. */
export interface RateLimitKey {
  readonly workspace: number;
  readonly actor: string;
}

/** Takes one request from the quota, or nothing. Counted across all instances. */
export type ConsumeQuota = (key: RateLimitKey, rate: Rate) => MaybePromise<RateDecision>;

/** Takes a port to the thread that writes. */
export type GivePort = (port: MessagePort) => void;

/** The storage API: runs operations where their kind allows (see operation.ts). */
export interface Storage {
  run<P, I, O, K extends Kind>(operation: Operation<P, I, O, K>, principal: P, input: I): Result<K, O>;
  readonly consumeQuota: ConsumeQuota;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Resolves if a change can be stored. Unlike `ping`, it needs space on the disk. */
  probe(): Promise<void>;
  /** The state of connections, threads and files. Does not wait for the database. */
  metrics(): Metric[];
  /** The size of the database in bytes. */
  size(): MaybePromise<number>;
  /** Gives another serving thread a port to the thread that writes, now and after each restart of that thread. Returns a
   *  function that ends this. Undefined if each thread connects to the database. */
  readonly connect?: (give: GivePort) => () => void;
  /** The pulse of the thread that `connect` connects to. */
  readonly writerPulse?: Pulse;
  close(): Promise<void>;
}
