import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../lib/errors.ts';
import { type IsTrustedProxy, networkOf } from '../../lib/ip-address.ts';
import { type Rate, RateLimiter, retryDelayMs } from '../../lib/rate-limit.ts';
import { secondsText, wholeSeconds } from './rate-limit.ts';
import { originOf } from './request-origin.ts';
import type { Access } from './route.ts';

/** What an answer of 401 becomes: 401, or 429 for an address from which too many came. */
export type LimitAuthFailure = (error: ApiError, request: IncomingMessage, access: Access) => ApiError;

export interface FailureOptions {
  readonly rate: Rate;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly now?: () => number;
}

const MAX_ADDRESSES = 10_000;

/** Whether the caller tried a credential at all: a header, what the body of an open route holds, or a signature. A page
 *  without a session has tried none. */
const wasTried = ({ headers }: IncomingMessage, access: Access) =>
  headers.authorization !== undefined || access === 'open' || access === 'signature';

/** Counts failed credentials by address, in memory. Only failures are counted, after they are known: a right
 *  credential is accepted, also from an address from which others guess, and takes the same time. */
export const limitAuthFailures = ({
  rate,
  isTrustedProxy,
  now = () => performance.now(),
}: FailureOptions): LimitAuthFailure => {
  const book = new RateLimiter(MAX_ADDRESSES);
  return (error, request, access) => {
    if (error.code !== 'UNAUTHORIZED' || !wasTried(request, access)) return error;
    const { isAllowed, resetMs } = book.consume(
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
