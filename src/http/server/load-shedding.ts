import type { IncomingMessage, ServerResponse } from 'node:http';
import { unavailable } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { errorResponse } from '../pipeline/exchange.ts';
import type { Metrics } from '../pipeline/metrics.ts';
import { hasBody } from '../pipeline/request-input.ts';
import { isExcess } from './connection.ts';
import { EventLoopLag, type TrackedSocket } from './event-loop-lag.ts';

/** What tells whether there is room behind it. */
interface Queue {
  readonly isFull: boolean;
}

export interface SheddingOptions {
  /** Where a request that reads, or one that may write, has to wait. */
  readonly queues: Readonly<Record<'read' | 'write', Queue>>;
  readonly metrics: Pick<Metrics, 'shed'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Turns a request away where it has to be; says whether it did. */
export type Shed = (request: IncomingMessage, response: ServerResponse, requestId: string) => boolean;

/** Asked by those who watch the service, and cheap. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz', '/metrics']);
const isAlwaysAnswered = ({ url = '' }: IncomingMessage): boolean => ALWAYS_ANSWERED.has(url);

const TELL_EVERY_MS = 10_000;

const OVERLOADED = unavailable('The service has more to do than it can. Send the request again in a moment.');

/** Turns requests away while more come than can be answered: before their bodies are read and their keys looked at, so
 *  that it costs little of what the others need. */
export const createShedding = ({ queues, metrics, log }: SheddingOptions): Shed => {
  const turn = new EventLoopLag();
  let told = Number.NEGATIVE_INFINITY;

  const fullDoor = (request: IncomingMessage): string | undefined => {
    const isLate = turn.isLate(request.socket as TrackedSocket);
    if (isExcess(request)) return 'connections';
    if (isLate) return 'loop';
    const { method } = request;
    const door = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
    return queues[door].isFull ? door : undefined;
  };

  return (request, response, requestId) => {
    const door = fullDoor(request);
    if (door === undefined) return false;
    // What comes next over a connection too many would be turned away as well.
    if (door === 'connections') response.setHeader('Connection', 'close');
    if (isAlwaysAnswered(request)) return false;
    metrics.shed(door);
    if (performance.now() - told > TELL_EVERY_MS) {
      told = performance.now();
      log.warn('requests are turned away', { door });
    }
    turnAway(request, response, requestId);
    return true;
  };
};

/** So much of a body is read and thrown away; that costs less than another connection. */
const WORTH_READING = 65_536;

const isWorthKeeping = (request: IncomingMessage) =>
  !hasBody(request) ||
  (request.headers.expect === undefined && Number(request.headers['content-length']) <= WORTH_READING);

/** The answer of a service that has no room. */
const turnAway = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
  const { status, body, headers } = errorResponse(OVERLOADED, requestId);
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(!isWorthKeeping(request) && { Connection: 'close' }),
  });
  response.end(body);
};
