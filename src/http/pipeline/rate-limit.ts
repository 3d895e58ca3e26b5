import type { IncomingMessage } from 'node:http';
import { type ApiError, rateLimited } from '../../lib/errors.ts';
import { type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import {
  type Rate,
  type RateDecision,
  RateLimiter,
  remainingQuota,
  retryDelayMs,
} from '../../lib/rate-limit.ts';
import { originOf } from './request-origin.ts';
import type { Access } from './route.ts';

export interface HasRateLimit {
  readonly rate?: Rate | undefined;
}

export type ConsumeQuota<W> = (caller: W, rate: Rate) => MaybePromise<RateDecision>;

/** Collects headers for a response. */
export interface HeaderSink {
  addHeader(name: string, value: string): void;
}

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** `1 second`, `42 seconds`. */
const secondsText = (seconds: number): string => `${seconds} second${seconds === 1 ? '' : 's'}`;

const exceeded = (rate: Rate, resetMs: number, headers: Readonly<Record<string, string>>) => {
  const wait = wholeSeconds(retryDelayMs(rate, resetMs));
  const requests = `${rate.quota} request${rate.quota === 1 ? '' : 's'}`;
  return rateLimited(
    `This key is limited to ${requests} in ${secondsText(rate.windowMs / 1000)}. Retry in ${secondsText(wait)}.`,
    wait,
    headers,
  );
};

/** Counts a request, adds the remaining quota to the response, and rejects a request that exceeds the quota. The headers are those of
 *  draft-ietf-httpapi-ratelimit-headers-10. */
export const rateLimitGuard =
  <W extends HasRateLimit>(consume: ConsumeQuota<W>) =>
  (caller: W, response: HeaderSink): MaybePromise<W> => {
    const { rate } = caller;
    if (!rate) return caller;
    return chain(consume(caller, rate), ({ isAllowed, resetMs }) => {
      const headers = {
        'RateLimit-Policy': `"key";q=${rate.quota};w=${rate.windowMs / 1000}`,
        RateLimit: `"key";r=${remainingQuota(rate, resetMs)};t=${Math.ceil(resetMs / 1000)}`,
      };
      for (const [name, value] of Object.entries(headers)) response.addHeader(name, value);
      if (isAllowed) return caller;
      throw exceeded(rate, resetMs, headers);
    });
  };

/** Counts a failure of a network. */
export type CountFailure = (network: string) => MaybePromise<RateDecision>;

const MAX_ADDRESSES = 10_000;

/** Counts failures in memory. */
export const failureCounter = (rate: Rate): CountFailure => {
  const limiter = new RateLimiter(MAX_ADDRESSES);
  return (network) => limiter.consume(network, rate);
};

interface FailureOptions {
  readonly rate: Rate;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly count: CountFailure;
}

/** Whether the request had a credential: a header, the body of an open route, or a signature. A page without a session has
 *  none. */
const hadCredential = ({ headers }: IncomingMessage, access: Access) =>
  headers.authorization !== undefined || access.isCheckedByHandler === true;

/** Counts authentication failures by address, and turns a 401 into a 429 for one with too many. A valid credential is accepted even from an address with too many failures. */
export const limitAuthFailures =
  ({ rate, isTrustedProxy, count }: FailureOptions) =>
  (error: ApiError, request: IncomingMessage, access: Access): MaybePromise<ApiError> => {
    if (error.code !== 'UNAUTHORIZED' || !hadCredential(request, access)) return error;
    const network = networkOf(originOf(request, isTrustedProxy).address);
    return chain(count(network), ({ isAllowed, resetMs }) => {
      if (isAllowed) return error;
      const wait = wholeSeconds(retryDelayMs(rate, resetMs));
      return rateLimited(
        `Too many failed authentications from this address. Retry in ${secondsText(wait)}.`,
        wait,
      );
    });
  };

export type LimitAuthFailure = ReturnType<typeof limitAuthFailures>;
