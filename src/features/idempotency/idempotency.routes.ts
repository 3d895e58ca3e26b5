import type { Storage } from '../../db/storage.ts';
import { fingerprintOf, idempotencyKeyOf, replayed } from '../../http/pipeline/idempotency.ts';
import { errorResponse } from '../../http/pipeline/response.ts';
import type { AnyRoute, HttpRequest, HttpResponse } from '../../http/pipeline/route.ts';
import { digest } from '../../lib/encryption.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type Answered,
  type Attempt,
  findAnswer,
  nameOf,
  type Once,
  type OnceInput,
  parseOutcome,
  stillRunning,
} from './idempotency.service.ts';

/** A request under way that bears a key. */
interface Try {
  readonly attempt: Attempt;
  /** The request that was answered first, where this is another one. */
  first?: string;
}

/** A principal whose request has an idempotency key. It passes through the route to the storage. */
type Trying = Principal & { readonly trying: Try };

const isTrying = (who: unknown): who is Trying => (who as Partial<Trying>).trying !== undefined;

const RETRYABLE: readonly string[] = ['POST', 'PATCH'];

/** What makes a POST or a PATCH safe to be sent again under one key: `storage`, through which its route writes, once, and
 *  `route`, which looks for the key. */
export const safeRetries = (storage: Storage, once: Once) => {
  /** The keys of running requests of this process, so that a second request is refused immediately. */
  const running = new Set<string>();

  const answerOnce = async (principal: Principal, input: OnceInput): Promise<Answered> => {
    const name = nameOf(principal, input.attempt);
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

  const writeOnce = async ({ trying, ...principal }: Trying, operation: string, input: unknown) => {
    const { answer, isReplay } = await answerOnce(principal, { attempt: trying.attempt, operation, input });
    const { request_id, value, refused } = parseOutcome(answer);
    if (isReplay) trying.first = request_id;
    if (refused) throw new ApiError(refused.code, refused.message, refused.details, refused.headers);
    return value;
  };

  const run = ((operation, principal, input) =>
    operation.kind === 'write' && isTrying(principal)
      ? writeOnce(principal, operation.operationName, input)
      : storage.run(operation, principal, input)) as Storage['run'];

  const handleOnce = async (
    route: AnyRoute,
    attempt: Attempt,
    request: HttpRequest<Principal>,
  ): Promise<HttpResponse> => {
    const trying: Try = { attempt };
    try {
      const answer = await route.handle({ ...request, principal: { ...request.principal, trying } });
      return trying.first === undefined ? answer : replayed(answer);
    } catch (error) {
      if (trying.first === undefined || !(error instanceof ApiError)) throw error;
      return replayed(errorResponse(error, trying.first));
    }
  };

  /** A route under the name that both of its addresses share. */
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
