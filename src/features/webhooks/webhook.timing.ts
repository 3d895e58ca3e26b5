const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The times of deliveries. Tests use shorter ones. */
export const defaultTiming = {
  /** The delays after the first failure, the second, and so on. After the last attempt the delivery has failed. */
  retryMs: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  /** An endpoint that fails for this long is disabled. */
  disableAfterMs: 5 * DAY,
  /** After an outage of this length, the first success makes all waiting deliveries due. */
  outageMs: 5 * MINUTE,
  /** From this time on, an endpoint that fails gets one request at a time. */
  throttleAfterMs: MINUTE,
  /** How long a delivery belongs to an instance. Longer than a request can take. */
  leaseMs: 30 * SECOND,
  requestMs: 15 * SECOND,
  /** How long a chat model has to answer. */
  chatMs: MINUTE,
  /** How often an idle instance looks for work. */
  pollMs: SECOND,
  /** The same while it has work. */
  busyPollMs: 200,
  /** How long a stop waits for requests in flight, as the HTTP server does. */
  stopMs: 10 * SECOND,
};
export type WebhookTiming = typeof defaultTiming;

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
