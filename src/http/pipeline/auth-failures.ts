import type { IncomingMessage } from 'node:http';
import { type ApiError, rateLimited } from '../../lib/errors.ts';
import { type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { type Rate, type RateDecision, RateLimiter, retryDelayMs } from '../../lib/rate-limit.ts';
import { secondsText, wholeSeconds } from './rate-limit.ts';
import { originOf } from './request-origin.ts';
import type { Access } from './route.ts';

/** Turns a 401 into a 429 for an address with too many failures. */
export type LimitAuthFailure = (
  error: ApiError,
  request: IncomingMessage,
  access: Access,
) => MaybePromise<ApiError>;

/** Counts a failure of a network. */
export type CountFailure = (network: string) => MaybePromise<RateDecision>;

const MAX_ADDRESSES = 10_000;

/** Counts failures in memory. */
export const failureCounter = (rate: Rate, now = () => performance.now()): CountFailure => {
  const limiter = new RateLimiter(MAX_ADDRESSES);
  return (network) => limiter.consume(network, rate, now());
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

/** Counts authentication failures by address. A valid credential is accepted even from an address with too many failures. */
export const limitAuthFailures =
  ({ rate, isTrustedProxy, count }: FailureOptions): LimitAuthFailure =>
  (error, request, access) => {
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
