import type { IncomingMessage, ServerResponse } from 'node:http';
import { unavailable } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import type { Log } from '../../lib/log.ts';
import { isExcess } from './connection.ts';
import { EventLoopLag, type TrackedSocket } from './event-loop-lag.ts';
import type { Metrics, Shedding } from './metrics.ts';
import { hasBody } from './request-input.ts';
import { isSecure } from './request-origin.ts';
import { sendError } from './response.ts';

export interface SheddingOptions {
  /** One for read requests, one for all others. */
  readonly queues: Readonly<Record<'read' | 'write', { readonly isFull: boolean }>>;
  readonly metrics: Pick<Metrics, 'shed'>;
  readonly log: Pick<Log, 'warn'>;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Whether a request is marked as overloaded and served instead, at little cost. */
  readonly isServed: (request: IncomingMessage) => boolean;
}

const overloaded = new WeakSet<IncomingMessage>();

/** Whether the request would have been rejected, but must be served without the database. */
export const isOverloaded = (request: IncomingMessage): boolean => overloaded.has(request);

/** Rejects a request with 503 if the service is overloaded; returns whether it did. */
export type Shed = (request: IncomingMessage, response: ServerResponse, requestId: string) => boolean;

/** Monitoring must work during an overload, and these are cheap. They have no spans. */
export const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics']);
export const isAlwaysAnswered = ({ url = '' }: IncomingMessage): boolean => ALWAYS_ANSWERED.has(url);

const isRead = ({ method, url }: IncomingMessage): boolean =>
  method === 'GET' || method === 'HEAD' || url === '/dashboard/api/reads';

const LOG_EVERY_MS = 10_000;

const OVERLOADED = unavailable('The service is overloaded. Retry in 1 second.');

/** Rejects requests during an overload, before their bodies are read and their keys are checked, so that a rejection is
 *  cheap. */
export const createShedding = ({ queues, metrics, log, isTrustedProxy, isServed }: SheddingOptions): Shed => {
  const lag = new EventLoopLag();
  let loggedAt = Number.NEGATIVE_INFINITY;

  const overloadReason = (request: IncomingMessage): Shedding | undefined => {
    const isLate = lag.isLate(request.socket as TrackedSocket);
    if (isExcess(request)) return 'connections';
    if (isLate) return 'loop';
    const queue = isRead(request) ? 'read' : 'write';
    return queues[queue].isFull ? queue : undefined;
  };

  return (request, response, requestId) => {
    const queue = overloadReason(request);
    if (queue === undefined || isAlwaysAnswered(request)) return false;
    if (queue !== 'connections' && isServed(request)) {
      overloaded.add(request);
      return false;
    }
    metrics.shed(queue);
    if (performance.now() - loggedAt > LOG_EVERY_MS) {
      loggedAt = performance.now();
      log.warn('load shedding active', { queue });
    }
    sendError(response, OVERLOADED, {
      requestId,
      isSecure: isSecure(request, isTrustedProxy),
      isLast: isExcess(request) || !isWorthKeeping(request),
    });
    return true;
  };
};

/** Discarding a body up to this size costs less than a new connection. */
const MAX_DISCARDED_BYTES = 65_536;

const isWorthKeeping = (request: IncomingMessage) =>
  !hasBody(request) ||
  (request.headers.expect === undefined && Number(request.headers['content-length']) <= MAX_DISCARDED_BYTES);
