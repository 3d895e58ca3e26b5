import type { Storage } from '../../db/storage.ts';
import { fingerprintOf, idempotencyKeyOf, replayed } from '../../http/pipeline/idempotency.ts';
import { errorResponse } from '../../http/pipeline/response.ts';
import type { AnyRoute, HttpRequest } from '../../http/pipeline/route.ts';
import type { Locks } from '../../http/pipeline/stream-limits.ts';
import { digest } from '../../lib/encryption.ts';
import { ApiError, invalidField } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type Answer,
  type Attempt,
  findAnswer,
  lockNameOf,
  type OnceInput,
  once,
  parseOutcome,
  secretShownOnce,
  stillRunning,
} from './idempotency.service.ts';

/** A running request with an idempotency key. */
interface KeyedRequest {
  readonly attempt: Attempt;
  readonly returnsSecret: boolean;
  /** How many writes it has made. Work of several transactions, such as enrolling a tag, makes several. */
  writes: number;
  /** Set when the response of an earlier request is replayed. */
  originalRequestId?: string;
}

/** A principal whose request has an idempotency key. It passes through the route to the storage. */
type KeyedPrincipal = Principal & { readonly keyed: KeyedRequest };

const isKeyed = (who: unknown): who is KeyedPrincipal => (who as Partial<KeyedPrincipal>).keyed !== undefined;

const RETRYABLE: readonly string[] = ['POST', 'PATCH', 'PUT'];

/** An upload is read as it arrives, so it cannot be compared with that of an earlier request. */
const withoutKey = (upload: AnyRoute): AnyRoute => ({
  ...upload,
  handle: (request) => {
    if (request.headers['idempotency-key'] === undefined) return upload.handle(request);
    throw invalidField(
      'Idempotency-Key',
      'is not supported for an upload. Remove the header. An upload changes no contacts; if you sent it twice, delete one of the imports.',
    );
  },
});

/** Executes a POST, PATCH or PUT with an idempotency key once. `route` wraps a route to read the key; its writes must go through
 *  `storage`. */
export const idempotency = (storage: Storage, locks: Locks) => {
  const answerOnce = async (principal: Principal, input: OnceInput): Promise<Answer> => {
    const name = lockNameOf(principal, input.attempt);
    if (!(await locks.tryLock(name))) {
      const found = await storage.run(findAnswer, principal, input.attempt);
      if (found) return found;
      throw stillRunning();
    }
    try {
      return await storage.run(once, principal, input);
    } finally {
      // Wait before responding: after an error that is not stored, the client may reuse the key immediately.
      await locks.unlock(name);
    }
  };

  /** Every write of the request has its own record, so that a retry repeats none of them and continues after the last. */
  const nextAttempt = (keyed: KeyedRequest): Attempt => {
    const { attempt } = keyed;
    const number = keyed.writes++;
    return number === 0 ? attempt : { ...attempt, key_hash: digest(`${attempt.key_hash} ${number}`) };
  };

  const writeOnce = async ({ keyed, ...principal }: KeyedPrincipal, operation: string, input: unknown) => {
    const { returnsSecret } = keyed;
    const attempt = nextAttempt(keyed);
    const { answer, isReplay } = await answerOnce(principal, { attempt, returnsSecret, operation, input });
    const { request_id, value, refused, withheld } = parseOutcome(answer);
    if (isReplay) keyed.originalRequestId = request_id;
    if (withheld) throw secretShownOnce(withheld);
    if (refused) throw new ApiError(refused.code, refused.message, refused.details, refused.headers);
    return value;
  };

  const run = ((operation, principal, input) =>
    operation.kind === 'write' && isKeyed(principal)
      ? writeOnce(principal, operation.operationName, input)
      : storage.run(operation, principal, input)) as Storage['run'];

  const handleOnce = async (route: AnyRoute, attempt: Attempt, request: HttpRequest<Principal>) => {
    const keyed: KeyedRequest = { attempt, returnsSecret: route.returnsSecret ?? false, writes: 0 };
    try {
      const answer = await route.handle({ ...request, principal: { ...request.principal, keyed } });
      return keyed.originalRequestId === undefined ? answer : replayed(answer);
    } catch (error) {
      if (keyed.originalRequestId === undefined || !(error instanceof ApiError)) throw error;
      return replayed(errorResponse(error, keyed.originalRequestId));
    }
  };

  /** `path` is the one that all addresses of the route share. */
  const route = (method: string, path: string, plain: AnyRoute): AnyRoute => {
    if (!RETRYABLE.includes(method)) return plain;
    if (plain.body === 'stream') return withoutKey(plain);
    return {
      ...plain,
      isIdempotent: true,
      handle: (request: HttpRequest<Principal>) => {
        const key = idempotencyKeyOf(request);
        if (key === undefined) return plain.handle(request);
        const attempt = {
          route: `${method} ${path}`,
          key_hash: digest(key),
          fingerprint: fingerprintOf(request),
          request_id: request.principal.request ?? '',
        };
        return handleOnce(plain, attempt, request);
      },
    };
  };

  return { storage: { ...storage, run }, route };
};
