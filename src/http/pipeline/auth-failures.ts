import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../lib/errors.ts';
import { type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { type Rate, RateLimiter, retryDelayMs } from '../../lib/rate-limit.ts';
import { secondsText, wholeSeconds } from './rate-limit.ts';
import { originOf } from './request-origin.ts';
import type { Access } from './route.ts';

/** Turns a 401 into a 429 for an address with too many failures. */
export type LimitAuthFailure = (error: ApiError, request: IncomingMessage, access: Access) => ApiError;

export interface FailureOptions {
  readonly rate: Rate;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly now?: () => number;
}

const MAX_ADDRESSES = 10_000;

/** Whether the request had a credential: a header, the body of an open route, or a signature. A page without a session has
 *  none. */
const hadCredential = ({ headers }: IncomingMessage, access: Access) =>
  headers.authorization !== undefined || access === 'open' || access === 'signature';

/** Counts authentication failures by address, in memory. A valid credential is accepted even from an address with too many
 *  failures. */
export const limitAuthFailures = ({
  rate,
  isTrustedProxy,
  now = () => performance.now(),
}: FailureOptions): LimitAuthFailure => {
  const limiter = new RateLimiter(MAX_ADDRESSES);
  return (error, request, access) => {
    if (error.code !== 'UNAUTHORIZED' || !hadCredential(request, access)) return error;
    const { isAllowed, resetMs } = limiter.consume(
      networkOf(originOf(request, isTrustedProxy).address),
      rate,
      now(),
    );
    if (isAllowed) return error;
    const wait = wholeSeconds(retryDelayMs(rate, resetMs));
    return new ApiError(
      'RATE_LIMITED',
      `Too many failed authentications from this address. Retry in ${secondsText(wait)}.`,
      undefined,
      { 'Retry-After': String(wait) },
    );
  };
};
