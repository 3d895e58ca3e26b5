import type { RosterError } from './errors.ts';

export interface TransportOptions {
  /** The URL of the service without `/v1`, such as `https://roster.example.com`. Default: `ROSTER_URL` of the environment. */
  readonly baseUrl?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one attempt may take, including its response. 0 means no limit. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How long all attempts and the pauses between them may take. 0 means no limit. Default: 120,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** How many times a failed request is sent again. Default: 4. */
  readonly maxRetries?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called before the pause that precedes a retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export interface RosterOptions extends TransportOptions {
  /** Default: `ROSTER_KEY` of the environment. */
  readonly apiKey?: string | undefined;
}

export interface Retry {
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly method: string;
  readonly url: string;
  readonly error: RosterError;
}

export interface RequestOptions {
  /** Ends the request and its retries. The promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly totalTimeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Identifies the request in all of its attempts. Default: a random UUID. Set your own if your program has to continue
   *  after a crash with a request that it may have sent. */
  readonly idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends WriteOptions {
  /** The ETag that you read. If the record has changed since, the change fails with a `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
}
