import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ApiError, statusOf } from '../../lib/errors.ts';
import { COMPRESS_ABOVE } from './content-encoding.ts';
import type { HttpResponse } from './route.ts';

const processPrefix = randomBytes(5).toString('hex');
let requests = 0;
export const newRequestId = (): string => `req_${processPrefix}${(++requests).toString(36).padStart(6, '0')}`;

export const errorResponse = (
  { code, message, details, headers }: ApiError,
  requestId: string,
): HttpResponse & { body: string } => ({
  status: statusOf[code],
  body: JSON.stringify({ success: false, error: { code, message, details, request_id: requestId } }),
  headers,
});

export interface ResponseContext {
  readonly requestId: string;
  /** Whether the client uses HTTPS. */
  readonly isSecure: boolean;
  /** Whether the connection closes after the response. */
  readonly isLast: boolean;
}

/** The headers of every response, whatever sends it. Names and values are in one list: node:http writes it as it is, but
 *  looks up each name of an object. */
export const responseHead = (
  result: HttpResponse,
  { requestId, isSecure, isLast }: ResponseContext,
): string[] => {
  const { status, body, type, headers } = result;
  const head = ['X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff'];
  if (headers?.['Cache-Control'] === undefined) head.push('Cache-Control', 'private, no-cache');
  if (status !== 304) {
    head.push('Content-Type', type ?? 'application/json; charset=utf-8');
    const length = isWhole(body) ? Buffer.byteLength(body) : undefined;
    if (length !== undefined) head.push('Content-Length', String(length));
    const isCompressible = length === undefined ? !isEventStream(type) : length > COMPRESS_ABOVE;
    if (isCompressible && !hasChosenEncoding(result)) head.push('Vary', 'Accept-Encoding');
  }
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') head.push(name, value);
    else for (const each of value) head.push(name, each);
  }
  // A browser that has reached the service over HTTPS uses only HTTPS for a year. Browsers ignore it for IP addresses and
  // for certificates that they do not trust.
  if (isSecure) head.push('Strict-Transport-Security', 'max-age=31536000');
  if (isLast) head.push('Connection', 'close');
  return head;
};

/** Responds with an error, before there is an exchange. */
export const sendError = (response: ServerResponse, error: ApiError, context: ResponseContext): void => {
  const result = errorResponse(error, context.requestId);
  response.writeHead(result.status, responseHead(result, context)).end(result.body);
};

/** Whether the handler has chosen the encoding. */
export const hasChosenEncoding = ({ headers }: HttpResponse): boolean => headers?.Vary !== undefined;

/** Events must arrive immediately, so they are never compressed. */
export const isEventStream = (type: string | undefined): boolean =>
  type?.startsWith('text/event-stream') === true;

/** Whether a body is sent in one part. */
export const isWhole = (body: HttpResponse['body']): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body);
