const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The times of deliveries. Tests use shorter ones. */
export interface WebhookTiming {
  /** The delays after the first failure, the second, and so on. After the last attempt the delivery has failed. */
  readonly retryMs: readonly number[];
  /** An endpoint that fails for this long is disabled. */
  readonly disableAfterMs: number;
  /** After an outage of this length, the first success makes all waiting deliveries due. */
  readonly outageMs: number;
  /** From this time on, an endpoint that fails gets one request at a time. */
  readonly throttleAfterMs: number;
  /** How long a delivery belongs to an instance. Longer than a request can take. */
  readonly leaseMs: number;
  readonly requestMs: number;
  /** How often an idle instance looks for work. */
  readonly pollMs: number;
  /** The same while it has work. */
  readonly busyPollMs: number;
  /** How long a stop waits for requests in flight, as the HTTP server does. */
  readonly stopMs: number;
}

export const defaultTiming: WebhookTiming = {
  retryMs: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  disableAfterMs: 5 * DAY,
  outageMs: 5 * MINUTE,
  throttleAfterMs: MINUTE,
  leaseMs: 30 * SECOND,
  requestMs: 15 * SECOND,
  pollMs: SECOND,
  busyPollMs: 200,
  stopMs: 10 * SECOND,
};

/** Spreads retries that would otherwise arrive together. */
const JITTER = 0.1;

/** How long to wait after `attempts` failed attempts; undefined after the last. A receiver can ask for a longer delay. */
export const retryDelay = (
  { retryMs }: Pick<WebhookTiming, 'retryMs'>,
  attempts: number,
  retryAfterMs = 0,
  random: () => number = Math.random,
): number | undefined => {
  const delay = retryMs[attempts - 1];
  if (delay === undefined) return undefined;
  return Math.max(delay * (1 - JITTER + 2 * JITTER * random()), retryAfterMs);
};
