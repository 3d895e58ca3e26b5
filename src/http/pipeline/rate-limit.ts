import type { ServerResponse } from 'node:http';
import { ApiError } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { leftOf, type Rate, type Taken, waitOf } from '../../lib/rate-limit.ts';

/** A caller whose requests may be limited. */
export interface Limited {
  readonly rate?: Rate | undefined;
}

/** Counts one request of a caller. */
export type Take<W> = (caller: W, rate: Rate) => MaybePromise<Taken>;

export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** `1 second`, `42 seconds`. */
export const inWords = (seconds: number): string => `${seconds} second${seconds === 1 ? '' : 's'}`;

/** Counts a request against its caller's rate, says on the answer what is left of it, whatever the answer will be, and
 *  refuses what is beyond it. The header fields are those of draft-ietf-httpapi-ratelimit-headers-10. */
export const limitedBy =
  <W extends Limited>(take: Take<W>) =>
  (caller: W, response: ServerResponse): MaybePromise<W> => {
    const { rate } = caller;
    if (!rate) return caller;
    return chain(take(caller, rate), ({ isGranted, aheadMs }) => {
      const window = rate.windowMs / 1000;
      response.setHeader('RateLimit-Policy', `"key";q=${rate.quota};w=${window}`);
      response.setHeader('RateLimit', `"key";r=${leftOf(rate, aheadMs)};t=${Math.ceil(aheadMs / 1000)}`);
      if (isGranted) return caller;
      const wait = secondsOf(waitOf(rate, aheadMs));
      throw new ApiError(
        'RATE_LIMITED',
        `This key may send ${rate.quota} request${rate.quota === 1 ? '' : 's'} in ${inWords(window)}. Send the next one in ${inWords(wait)}.`,
        undefined,
        { 'Retry-After': String(wait) },
      );
    });
  };
