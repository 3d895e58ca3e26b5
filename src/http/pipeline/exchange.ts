import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type Fault, invalidRequest } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import { describeError, type Log } from '../../lib/log.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { parseTraceParent, type RequestSpan, type Tracing } from '../../lib/tracing.ts';
import { type Compression, encodingFor } from './compression.ts';
import { isExcess, markAnswered } from './connection.ts';
import type { Encoding } from './content-encoding.ts';
import { isAlwaysAnswered } from './load-shedding.ts';
import type { Metrics } from './metrics.ts';
import type { LimitAuthFailure } from './rate-limit.ts';
import { isUnread } from './request-input.ts';
import { isFromProxy, isSecure, originOf } from './request-origin.ts';
import { errorResponse, isEventStream, isWhole, newRequestId, responseHead } from './response.ts';
import { type HttpResponse, open } from './route.ts';
import type { BoundRoute } from './router.ts';
import { streamTo } from './stream.ts';

export interface ExchangeOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limitAuthFailure: LimitAuthFailure;
  /** Whether the addresses of clients are logged. */
  readonly logClientAddress: boolean;
  /** While the service stops, connections are closed after the response. */
  readonly isStopping: () => boolean;
  readonly isTrustedProxy: IsTrustedProxy;
  /** Undefined if tracing is off. */
  readonly tracing: Tracing | undefined;
  readonly compression: Compression;
  /** Reports that a request was refused because of a fault of the database. */
  readonly onFault: (fault: Fault) => void;
}

/** They are in memory until the client has read them. */
const MAX_PARTS_LENGTH = 4_194_304;

const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** The request id of a trusted proxy, or a new one. */
export const requestIdOf = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy) => {
  const sentId = request.headers['x-request-id'];
  const isAccepted =
    typeof sentId === 'string' && REQUEST_ID.test(sentId) && isFromProxy(request, isTrustedProxy);
  return isAccepted ? sentId : newRequestId();
};

/** One request and its response. Exactly one response is sent, counted and logged. */
export class Exchange {
  readonly requestId: string;
  /** Undefined until a route matches. */
  bound: BoundRoute | undefined;
  /** What the guard returned; undefined for an open route. */
  caller: unknown;
  readonly #options: ExchangeOptions;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #method: string;
  readonly #began = performance.now();
  /** Undefined if tracing is off. */
  readonly span: RequestSpan | undefined;
  #added: Record<string, string> | undefined;
  #isObserved = false;
  #partsLength = 0;

  constructor(
    options: ExchangeOptions,
    requestId: string,
    request: IncomingMessage,
    response: ServerResponse,
    method = request.method as string,
  ) {
    this.#method = method;
    this.#options = options;
    this.requestId = requestId;
    this.#request = request;
    this.#response = response;
    options.metrics.started();
    this.span = startSpan(options, request, method);
  }

  /** Adds a header to the response, whatever the response will be. */
  addHeader(name: string, value: string): void {
    this.#added ??= {};
    this.#added[name] = value;
  }

  send(result: HttpResponse): void {
    this.#observe(undefined);
    this.#send(result);
  }

  /** Only the first result counts: writing the response of a success may still fail. */
  #observe(failure: unknown): void {
    if (this.caller === undefined || this.#isObserved) return;
    this.#isObserved = true;
    this.bound?.route.observe?.(this.caller, failure);
  }

  #send(result: HttpResponse): void {
    const response = this.#response;
    const { onClose } = result;
    if (onClose) {
      if (response.destroyed || response.headersSent) onClose();
      else response.once('close', onClose);
    }
    if (response.headersSent) return;
    const encoding = this.#encodingOf(result);
    if (encoding === undefined) this.#write(result);
    else this.#writeEncoded(result, encoding);
  }

  /** A secret next to the caller's input is not compressed: the size would reveal how alike they are (BREACH). */
  #encodingOf(result: HttpResponse): Encoding | undefined {
    if (this.bound?.route.returnsSecret && result.status < 400) return undefined;
    return encodingFor(this.#request.headers['accept-encoding'] as string | undefined, result);
  }

  async #writeEncoded(result: HttpResponse, encoding: Encoding) {
    try {
      const isHead = this.#request.method === 'HEAD';
      this.#write(await this.#options.compression.encode(result, encoding, isHead));
    } catch (error) {
      this.fail(error);
    }
  }

  #write(result: HttpResponse): void {
    const response = this.#response;
    if (response.headersSent) return;
    const { status, body } = result;
    const unread = isUnread(this.#request);
    response.writeHead(status, this.#headOf(result, unread));
    // The first event may come much later.
    if (isEventStream(result.type)) response.flushHeaders();
    if (!isWhole(body)) this.#stream(body, status);
    else if (unread) endUnread(this.#request, response, body);
    else response.end(body);
    if (this.caller === undefined) markAnswered(this.#request, response);
    this.#finish(status);
    if (isWhole(body)) this.span?.end(this.bound?.path, status);
  }

  fail(error: unknown): void {
    const result = this.#errorResponse(error);
    if (result instanceof Promise) result.then((sent) => this.#send(sent));
    else this.#send(result);
  }

  #errorResponse(error: unknown): MaybePromise<HttpResponse> {
    this.#observe(error);
    const { limitAuthFailure } = this.#options;
    const access = this.bound?.route.access ?? open;
    const limited = error instanceof ApiError ? limitAuthFailure(error, this.#request, access) : INTERNAL;
    const responseTo = (sent: ApiError) => this.#describe(sent, error);
    if (limited instanceof Promise) return limited.then(responseTo, () => responseTo(error as ApiError));
    return responseTo(limited);
  }

  #describe(sent: ApiError, error: unknown): HttpResponse {
    if (sent.fault) this.#noteFault(sent.fault);
    else if (sent === INTERNAL || sent.cause)
      this.#options.log.error('request failed', { request_id: this.requestId, ...describeError(error) });
    return errorResponse(sent, this.requestId);
  }

  /** The response to a read that is a part of this request, as JSON. It is counted, traced and logged like one of its own. */
  async part(answer: (part: Exchange) => MaybePromise<HttpResponse>): Promise<HttpResponse> {
    const part = new Exchange(this.#options, this.requestId, this.#request, this.#response, 'GET');
    let result: HttpResponse;
    try {
      result = await (part.span ? part.span.run(() => answer(part)) : answer(part));
      const { body, type, onClose } = result;
      onClose?.();
      if (!isWhole(body) || type !== undefined || part.bound?.route.returnsSecret)
        throw invalidRequest('This response is sent only alone. Send a GET.');
      this.#partsLength += body.length;
      if (this.#partsLength > MAX_PARTS_LENGTH)
        throw new ApiError('PAYLOAD_TOO_LARGE', 'These responses are too large for one. Send a GET.');
      part.#observe(undefined);
    } catch (error) {
      result = await part.#errorResponse(error);
    }
    part.#finish(result.status);
    part.span?.end(part.bound?.path, result.status);
    return result;
  }

  #noteFault(fault: Fault) {
    this.#options.metrics.refused(fault.reason);
    this.#options.onFault(fault);
  }

  #headOf(result: HttpResponse, isBodyUnread: boolean): string[] {
    const { isStopping, isTrustedProxy } = this.#options;
    const request = this.#request;
    const added = this.#added;
    return responseHead(added ? { ...result, headers: { ...result.headers, ...added } } : result, {
      requestId: this.requestId,
      isSecure: isSecure(request, isTrustedProxy),
      // Later requests on an excess connection would be rejected.
      isLast: isBodyUnread || isStopping() || isExcess(request),
    });
  }

  /** Logs an aborted response, unless the client disconnected. */
  async #stream(chunks: AsyncIterable<string | Buffer>, status: number) {
    const [response, request_id] = [this.#response, this.requestId];
    try {
      if (this.#request.method === 'HEAD') {
        response.end();
        return;
      }
      const end = await streamTo(response, chunks);
      if (end === 'client too slow')
        this.#options.log.warn('download aborted: the client reads too slowly', { request_id });
    } catch (error) {
      if (response.destroyed) return;
      if (error instanceof ApiError && error.fault) this.#noteFault(error.fault);
      this.#options.log.error('response aborted', { request_id, ...describeError(error) });
      response.destroy();
    } finally {
      this.span?.end(this.bound?.path, status);
    }
  }

  #finish(status: number) {
    const { metrics, log, logClientAddress, isTrustedProxy } = this.#options;
    const { requestId: request_id } = this;
    const route = this.bound?.path ?? 'unknown';
    const method = this.#method;
    const seconds = (performance.now() - this.#began) / 1000;
    metrics.finished(KNOWN_METHODS.has(method) ? method : 'OTHER', route, status, seconds);
    const ms = Math.round(seconds * 1e6) / 1e3;
    // Probes and scrapes come every few seconds, from every load balancer.
    const write = status === 200 && isAlwaysAnswered(this.#request) ? log.debug : log.info;
    write('request', {
      request_id,
      method,
      route,
      status,
      ms,
      client_address: logClientAddress ? originOf(this.#request, isTrustedProxy).address : undefined,
      trace_id: this.span?.traceId ?? traceIdOf(this.#request),
    });
  }
}

const traceIdOf = ({ headers: { traceparent } }: IncomingMessage): string | undefined =>
  typeof traceparent === 'string' ? parseTraceParent(traceparent)?.traceId : undefined;

const startSpan = (options: ExchangeOptions, request: IncomingMessage, method: string) => {
  const { tracing, isTrustedProxy } = options;
  if (!tracing || isAlwaysAnswered(request)) return undefined;
  return tracing.startRequest(
    KNOWN_METHODS.has(method) ? method : '_OTHER',
    isSecure(request, isTrustedProxy) ? 'https' : 'http',
    request.headers.traceparent as string | undefined,
  );
};

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);

const LINGER_MS = 1_000;

/** Responds and closes the connection, because the unread rest of a body would be parsed as the next request. First
 *  discards the rest for a moment: a reset while the client sends would lose the response. */
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
  'An internal error occurred. It was logged with this request id.',
);
