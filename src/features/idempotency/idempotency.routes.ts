import type { Storage } from '../../db/storage.ts';
import { fingerprintOf, idempotencyKeyOf, replayed } from '../../http/pipeline/idempotency.ts';
import { errorResponse } from '../../http/pipeline/response.ts';
import type { AnyRoute, HttpRequest, HttpResponse } from '../../http/pipeline/route.ts';
import { digest } from '../../lib/encryption.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type Answer,
  type Attempt,
  findAnswer,
  lockNameOf,
  type Once,
  type OnceInput,
  parseOutcome,
  stillRunning,
} from './idempotency.service.ts';

/** A running request with an idempotency key. */
interface KeyedRequest {
  readonly attempt: Attempt;
  /** Set when the response of an earlier request is replayed. */
  originalRequestId?: string;
}

/** A principal whose request has an idempotency key. It passes through the route to the storage. */
type KeyedPrincipal = Principal & { readonly keyed: KeyedRequest };

const isKeyed = (who: unknown): who is KeyedPrincipal => (who as Partial<KeyedPrincipal>).keyed !== undefined;

const RETRYABLE: readonly string[] = ['POST', 'PATCH'];

/** Executes a POST or PATCH with an idempotency key once. `route` wraps a route to read the key; its writes must go through
 *  `storage`. */
export const idempotency = (storage: Storage, once: Once) => {
  /** The running requests of this process, so that a second one with the same key is rejected immediately. */
  const running = new Set<string>();

  const answerOnce = async (principal: Principal, input: OnceInput): Promise<Answer> => {
    const name = lockNameOf(principal, input.attempt);
    if (running.has(name)) {
      const found = await storage.run(findAnswer, principal, input.attempt);
      if (found) return found;
      throw stillRunning();
    }
    running.add(name);
    try {
      return await storage.run(once, principal, input);
    } finally {
      running.delete(name);
    }
  };

  const writeOnce = async ({ keyed, ...principal }: KeyedPrincipal, operation: string, input: unknown) => {
    const { answer, isReplay } = await answerOnce(principal, { attempt: keyed.attempt, operation, input });
    const { request_id, value, refused } = parseOutcome(answer);
    if (isReplay) keyed.originalRequestId = request_id;
    if (refused) throw new ApiError(refused.code, refused.message, refused.details, refused.headers);
    return value;
  };

  const run = ((operation, principal, input) =>
    operation.kind === 'write' && isKeyed(principal)
      ? writeOnce(principal, operation.operationName, input)
      : storage.run(operation, principal, input)) as Storage['run'];

  const handleOnce = async (
    route: AnyRoute,
    attempt: Attempt,
    request: HttpRequest<Principal>,
  ): Promise<HttpResponse> => {
    const keyed: KeyedRequest = { attempt };
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
    return {
      ...plain,
      ...(plain.document && { document: { ...plain.document, isIdempotent: true } }),
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
