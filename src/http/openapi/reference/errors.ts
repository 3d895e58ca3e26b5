import { type ErrorCode, statusOf } from '../../../lib/errors.ts';
import { type Html, html, prose, table } from './html.ts';

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'The request is invalid. `details` names each field and what to send.',
  UNAUTHORIZED: 'The API key is missing, unknown, revoked or expired.',
  FORBIDDEN: 'The key is read-only. Use one with the scope `read_write`.',
  NOT_FOUND: 'The record does not exist in the workspace of the key, or the route does not exist.',
  METHOD_NOT_ALLOWED: 'The route does not support this method. The header `Allow` lists the supported ones.',
  CONFLICT: 'The request conflicts with an existing record. `details` names it, or says what to send.',
  PRECONDITION_FAILED: 'The record has changed since you read it. Read it again first.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as uncompressed `application/json`.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used before, for a different request.',
  RATE_LIMITED: 'Too many requests. Retry after the number of seconds in `Retry-After`.',
  INTERNAL_ERROR: 'The service failed. Include the request id when you report it.',
  UNAVAILABLE:
    'The service is unavailable or overloaded. Retry after the number of seconds in `Retry-After`.',
};

const isCode = (text: string): text is ErrorCode => Object.hasOwn(MEANINGS, text);

/** A response without a known error code is shown with its own description. */
export const errorTable = (label: string, errors: readonly (readonly [string | number, string])[]): Html =>
  table(
    label,
    ['Status and code', 'Meaning'],
    errors.map(([status, code]) =>
      isCode(code)
        ? [html`${status} <code>${code}</code>`, prose(MEANINGS[code])]
        : [html`${status}`, prose(code)],
    ),
  );

export const allErrors: readonly (readonly [number, ErrorCode])[] = Object.keys(statusOf)
  .filter(isCode)
  .map((code) => [statusOf[code], code]);
