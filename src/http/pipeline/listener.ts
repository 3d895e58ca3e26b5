import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ApiError, invalidRequest } from '../../lib/errors.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { markAuthenticated, markPending } from './connection.ts';
import type { Guard, Guards } from './credentials.ts';
import type { DashboardFiles } from './dashboard-files.ts';
import { Exchange, type ExchangeOptions, requestIdOf } from './exchange.ts';
import type { Shed } from './load-shedding.ts';
import { type BodyBudget, hasBody, readBody, readQuery, readStream, readText } from './request-input.ts';
import { originOf } from './request-origin.ts';
import type { HttpResponse } from './route.ts';
import type { BoundRoute, RouteMatch, Router } from './router.ts';

export interface ListenerOptions extends ExchangeOptions {
  readonly router: Router;
  readonly pages: Pick<DashboardFiles, 'find'>;
  readonly guards: Guards;
  readonly shed: Shed;
  readonly bodyBudget: BodyBudget;
}

/** Handles every request: finds its route, runs the guard, reads the input and sends the response. */
export const createListener = (options: ListenerOptions): RequestListener => {
  const { router, pages, guards, shed, isTrustedProxy, bodyBudget: budget } = options;

  const respond: Respond = (exchange, request, response, part) => {
    assertValidHeaders(request);
    const target = targetOf(part ?? (request.url as string));
    const queryStart = target.indexOf('?');
    const path = queryStart === -1 ? target : target.slice(0, queryStart);
    const match = router.find(path) ?? pages.find(request, path);
    if (!match) throw new ApiError('NOT_FOUND', NOT_FOUND);
    const method = part === undefined ? (request.method as string) : 'GET';
    const bound = boundRoute(match, method);
    exchange.bound = bound;
    const { route } = bound;
    const { params } = match;
    const guard = guards[route.access.kind] as Guard;
    return chain(guard(request, params, exchange, route.access), (caller) => {
      exchange.caller = caller;
      // The audit entry of a change includes the request id.
      const isRead = method === 'GET' || method === 'HEAD';
      const principal = isRead ? caller : Object.assign({ request: exchange.requestId }, caller);
      const query = route.query?.read(readQuery(queryStart === -1 ? '' : target.slice(queryStart + 1)));
      const input = {
        principal,
        params,
        query,
        body: undefined as unknown,
        path,
        target,
        // Conditions and accepted types are those of the whole request.
        headers: part === undefined ? request.headers : { cookie: request.headers.cookie },
        origin: () => originOf(request, isTrustedProxy),
        isClosed: () => response.destroyed,
        read: (path: string) => exchange.part((each) => respond(each, request, response, path)),
      };
      const format = route.body;
      if (!format) return route.handle(input);
      const withBody = (body: unknown) => {
        input.body = body;
        return route.handle(input);
      };
      if (route.bodyOptional && !hasBody(request)) return withBody({});
      if (caller === undefined) markPending(request, response);
      else markAuthenticated(request);
      if (format === 'stream') return withBody(readStream(request, response));
      if (format === 'raw') return readText(request, response, budget, route.maxBody).then(withBody);
      return readBody(request, response, budget, route).then((body) =>
        withBody((route.bodyFor?.(principal) ?? format).read(body)),
      );
    });
  };

  const answer = (exchange: Exchange, request: IncomingMessage, response: ServerResponse) => {
    try {
      const result = respond(exchange, request, response);
      if (result instanceof Promise)
        result.then((sent) => exchange.send(sent)).catch((error) => exchange.fail(error));
      else exchange.send(result);
    } catch (error) {
      exchange.fail(error);
    }
  };

  return (request, response) => {
    const requestId = requestIdOf(request, isTrustedProxy);
    if (shed(request, response, requestId)) return;
    const exchange = new Exchange(options, requestId, request, response);
    const { span } = exchange;
    if (span) span.run(() => answer(exchange, request, response));
    else answer(exchange, request, response);
  };
};

type Respond = (
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  /** The URL of a read that is a part of the request. */
  part?: string,
) => MaybePromise<HttpResponse>;

const NOT_FOUND = 'Route not found. See /docs for the API and /dashboard/openapi.json for the dashboard API.';

/** The path and query. A proxy may send an absolute URL. */
const targetOf = (url: string): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*\/?/i, '/');

/** node:http uses the first of several Host headers; a proxy may use the last. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
};

const assertValidHeaders = ({ headers, rawHeaders, httpVersion }: IncomingMessage) => {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw invalidRequest('A request over HTTP/1.1 must have a Host header.');
  }
  if (countHosts(rawHeaders) > 1) {
    throw invalidRequest('The request has more than one Host header. Send one.');
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    throw invalidRequest('The only supported Expect header is 100-continue. Remove the header.');
  }
};

const boundRoute = ({ methods }: RouteMatch, method: string): BoundRoute => {
  const bound = methods.get(method === 'HEAD' ? 'GET' : method);
  if (bound) return bound;
  const allowed = [...methods.keys()]
    .flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
    .join(', ');
  throw new ApiError('METHOD_NOT_ALLOWED', `Method not allowed. Allowed: ${allowed}.`, undefined, {
    Allow: allowed,
  });
};
