import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { ApiError, statusOf } from '../kernel/errors.ts';
import { describeError, type Log } from '../kernel/log.ts';
import { after, type Pending } from '../kernel/pending.ts';
import type { Guards } from './credentials.ts';
import type { JudgeFailure } from './failures.ts';
import { hasBody, isUnread, readBody, readQuery, readStream, readText } from './input.ts';
import type { Metrics } from './metrics.ts';
import { originOf } from './origin.ts';
import type { Pages } from './pages.ts';
import type { Answer, Params } from './route.ts';
import type { Bound, Match, Router } from './router.ts';
import type { Shed } from './shedding.ts';

export interface ListenerOptions {
  readonly router: Router;
  readonly pages: Pick<Pages, 'find'>;
  readonly guards: Guards;
  readonly judge: JudgeFailure;
  readonly shed: Shed;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether a proxy in front of us is trusted to name the request. */
  readonly trustProxy: boolean;
  /** Whether the service is about to stop, so that connections are not kept. */
  readonly isStopping: () => boolean;
}

const processPrefix = randomBytes(5).toString('hex');
let requests = 0;
export const newRequestId = (): string => `req_${processPrefix}${(++requests).toString(36).padStart(6, '0')}`;

const GIVEN_ID = /^[\w.:-]{1,100}$/;

const requestIdOf = (request: IncomingMessage, trustProxy: boolean) => {
  const given = trustProxy ? request.headers['x-request-id'] : undefined;
  return typeof given === 'string' && GIVEN_ID.test(given) ? given : newRequestId();
};

/** Takes a request from the wire to its route and the answer back: the one place that every request goes through. */
export const createListener = (options: ListenerOptions): RequestListener => {
  const { router, pages, guards, judge, shed, log, metrics, trustProxy, isStopping } = options;

  return (request, response) => {
    const began = performance.now();
    const requestId = requestIdOf(request, trustProxy);
    if (shed(request, response, requestId)) return;
    const method = request.method ?? '';
    const url = targetOf(request.url ?? '/');
    const question = url.indexOf('?');
    const path = question === -1 ? url : url.slice(0, question);
    let bound: Bound | undefined;
    metrics.started();

    const send = ({ status, body, type = 'application/json; charset=utf-8', headers }: Answer) => {
      if (response.headersSent) return;
      response.statusCode = status;
      response.setHeader('X-Request-Id', requestId);
      if (status !== 304) response.setHeader('Content-Type', type);
      response.setHeader('Cache-Control', 'private, no-cache');
      response.setHeader('X-Content-Type-Options', 'nosniff');
      for (const name in headers) response.setHeader(name, headers[name] as string);
      if (isStopping() || isUnread(request)) response.setHeader('Connection', 'close');
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
        if (method === 'HEAD') response.end();
        else pipeline(Readable.from(told(body)), response, () => {});
      } else {
        if (status !== 304) response.setHeader('Content-Length', Buffer.byteLength(body));
        if (isUnread(request)) endUnread(request, response, body);
        else response.end(body);
      }
      const seconds = (performance.now() - began) / 1000;
      metrics.finished(method in KNOWN ? method : 'OTHER', bound?.path ?? 'unknown', status, seconds);
      log.info('request', {
        request_id: requestId,
        method,
        route: bound?.path ?? 'unknown',
        status,
        ms: Math.round(seconds * 1e6) / 1e3,
      });
    };

    /** The pieces of an answer, with a word in the log where they break off; that a client has left is no fault. */
    async function* told(pieces: AsyncIterable<string>) {
      try {
        yield* pieces;
      } catch (error) {
        if (response.destroyed) return;
        log.error('answer cut short', { request_id: requestId, ...describeError(error) });
        throw error;
      }
    }

    const fail = (error: unknown) => {
      const known =
        error instanceof ApiError ? judge(error, request, bound?.route.access ?? 'open') : undefined;
      if (!known || known.cause)
        log.error('request failed', { request_id: requestId, ...describeError(error) });
      send(errorAnswer(known ?? INTERNAL, requestId));
    };

    const answer = (): Pending<Answer> => {
      assertSane(request);
      const match = router.find(path) ?? pages.find(request, path);
      if (!match)
        throw new ApiError(
          'NOT_FOUND',
          'No such address. /docs describes the API, /dashboard/openapi.json what the dashboard asks.',
        );
      bound = boundOf(match, method);
      const { route } = bound;
      const params = match.params as Params;
      return after(guards[route.access](request, params, response), (known) => {
        const principal =
          method === 'GET' || method === 'HEAD' ? known : Object.assign({ request: requestId }, known);
        const query = route.query?.read(readQuery(question === -1 ? '' : url.slice(question + 1)));
        const { headers } = request;
        const origin = () => originOf(request, trustProxy);
        const call = { principal, params, query, body: undefined, path, target: url, headers, origin };
        if (!route.body) return route.handle(call);
        if (route.bodyOptional && !hasBody(request)) return route.handle({ ...call, body: {} });
        const shape = route.body;
        if (shape === 'stream') return route.handle({ ...call, body: readStream(request, response) });
        return shape === 'raw'
          ? readText(request, response).then((body) => route.handle({ ...call, body }))
          : readBody(request, response).then((body) => route.handle({ ...call, body: shape.read(body) }));
      });
    };

    try {
      const result = answer();
      if (result instanceof Promise) result.then(send).catch(fail);
      else send(result);
    } catch (error) {
      fail(error);
    }
  };
};

/** The path and query. A proxy may send the whole address. */
const targetOf = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');

const assertSane = ({ headers, httpVersion }: IncomingMessage) => {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ApiError('VALIDATION_ERROR', 'An HTTP/1.1 request needs a Host header.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw new ApiError('VALIDATION_ERROR', 'Expect can only be 100-continue. Send the request without it.');
  }
};

const KNOWN: Record<string, true> = {
  GET: true,
  HEAD: true,
  POST: true,
  PATCH: true,
  PUT: true,
  DELETE: true,
};

const boundOf = ({ methods }: Match, method: string): Bound => {
  const bound = methods.get(method === 'HEAD' ? 'GET' : method);
  if (bound) return bound;
  const allowed = [...methods.keys()]
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ');
  throw new ApiError('METHOD_NOT_ALLOWED', `This address takes ${allowed}.`, undefined, { Allow: allowed });
};

const LINGER_MS = 1_000;

/** Answers and ends the connection: the rest of a body that nobody reads would be taken for the next request. The rest
 *  is thrown away for a moment first, since a client that is cut off while it sends loses the answer to the reset. */
const endUnread = (request: IncomingMessage, response: ServerResponse, body: string | Buffer) => {
  response.flushHeaders();
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end(() => request.destroy());
  };
  const timer = setTimeout(end, LINGER_MS).unref();
  request.once('end', end).once('close', end).resume();
};

const INTERNAL = new ApiError(
  'INTERNAL_ERROR',
  'Something went wrong on our side. It was logged under this request id.',
);

export const errorAnswer = (
  { code, message, details, headers }: ApiError,
  requestId: string,
): Answer & { body: string } => ({
  status: statusOf[code],
  body: JSON.stringify({ success: false, error: { code, message, details, request_id: requestId } }),
  headers,
});
