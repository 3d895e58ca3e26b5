import { ApiError } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type Rate, type RateDecision, remainingQuota, retryDelayMs } from '../../lib/rate-limit.ts';

export interface HasRateLimit {
  readonly rate?: Rate | undefined;
}

export type ConsumeQuota<W> = (caller: W, rate: Rate) => MaybePromise<RateDecision>;

/** Collects headers for a response. */
export interface HeaderSink {
  addHeader(name: string, value: string): void;
}

export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** `1 second`, `42 seconds`. */
export const secondsText = (seconds: number): string => `${seconds} second${seconds === 1 ? '' : 's'}`;

export const rateLimited = (rate: Rate, resetMs: number): ApiError => {
  const wait = wholeSeconds(retryDelayMs(rate, resetMs));
  const requests = `${rate.quota} request${rate.quota === 1 ? '' : 's'}`;
  return new ApiError(
    'RATE_LIMITED',
    `This key is limited to ${requests} in ${secondsText(rate.windowMs / 1000)}. Retry in ${secondsText(wait)}.`,
    undefined,
    { 'Retry-After': String(wait) },
  );
};

/** Counts a request, adds the remaining quota to the response, and rejects a request that exceeds the quota. The headers
 *  are those of draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitGuard =
  <W extends HasRateLimit>(consume: ConsumeQuota<W>) =>
  (caller: W, response: HeaderSink): MaybePromise<W> => {
    const { rate } = caller;
    if (!rate) return caller;
    return chain(consume(caller, rate), ({ isAllowed, resetMs }) => {
      const window = rate.windowMs / 1000;
      response.addHeader('RateLimit-Policy', `"key";q=${rate.quota};w=${window}`);
      response.addHeader(
        'RateLimit',
        `"key";r=${remainingQuota(rate, resetMs)};t=${Math.ceil(resetMs / 1000)}`,
      );
      if (isAllowed) return caller;
      throw rateLimited(rate, resetMs);
    });
  };
