import { type ErrorCode, statusOf } from '../../../lib/errors.ts';
import { type Html, html, prose, table } from './html.ts';

const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR:
    'Something in the request is not as it must be. `details` names each field and what to send.',
  UNAUTHORIZED: 'The API key is missing, unknown, revoked or expired.',
  FORBIDDEN: 'The key may only read. Use one with the scope `read_write`.',
  NOT_FOUND: 'The workspace of the key has no such record, or the service no such address.',
  METHOD_NOT_ALLOWED: 'The address does not take this method. The header `Allow` lists those it takes.',
  CONFLICT: 'The request contradicts a record that exists. `details` names it, or says what to send.',
  PRECONDITION_FAILED: 'The record is no longer in the state that the request asks for. Read it again first.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not sent as uncompressed `application/json`.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used before, for a different request.',
  RATE_LIMITED: 'Too many requests. Wait for the seconds that `Retry-After` names.',
  INTERNAL_ERROR: 'Something failed on our side. Quote the request id when you report it.',
  UNAVAILABLE: 'The service cannot answer at the moment. Try again after `Retry-After` seconds.',
};

const isCode = (text: string): text is ErrorCode => Object.hasOwn(MEANINGS, text);

/** A table of errors. A failure that bears no code of ours is shown with its own description. */
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
