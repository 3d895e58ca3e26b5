import { rateLimited } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type Rate, type RateDecision, remainingQuota, retryDelayMs } from '../../lib/rate-limit.ts';

export interface HasRateLimit {
  readonly rate?: Rate | undefined;
}

export type ConsumeQuota<W> = (caller: W, rate: Rate, count?: number) => MaybePromise<RateDecision>;

/** Collects headers for a response. */
export interface HeaderSink {
  addHeader(name: string, value: string): void;
}

export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** `1 second`, `42 seconds`. */
export const secondsText = (seconds: number): string => `${seconds} second${seconds === 1 ? '' : 's'}`;

const exceeded = (rate: Rate, resetMs: number, count: number, headers: Readonly<Record<string, string>>) => {
  const wait = wholeSeconds(retryDelayMs(rate, resetMs, count));
  const requests = `${rate.quota} request${rate.quota === 1 ? '' : 's'}`;
  return rateLimited(
    `This key is limited to ${requests} in ${secondsText(rate.windowMs / 1000)}. Retry in ${secondsText(wait)}.`,
    wait,
    headers,
  );
};

/** Counts a request, or several together, adds the remaining quota to the response, and rejects a request that exceeds the quota. The headers
 *  are those of draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitGuard =
  <W extends HasRateLimit>(consume: ConsumeQuota<W>) =>
  (caller: W, response: HeaderSink, count = 1): MaybePromise<W> => {
    const { rate } = caller;
    if (!rate) return caller;
    return chain(consume(caller, rate, count), ({ isAllowed, resetMs }) => {
      const headers = {
        'RateLimit-Policy': `"key";q=${rate.quota};w=${rate.windowMs / 1000}`,
        RateLimit: `"key";r=${remainingQuota(rate, resetMs)};t=${Math.ceil(resetMs / 1000)}`,
      };
      for (const [name, value] of Object.entries(headers)) response.addHeader(name, value);
      if (isAllowed) return caller;
      throw exceeded(rate, resetMs, count, headers);
    });
  };
