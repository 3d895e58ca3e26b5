import { allErrors, errorTable } from './errors.ts';
import { type Anchors, codeBlock, type Html, heading, html, jsonMarkup, prose } from './html.ts';

export interface IntroSection {
  readonly anchor: string;
  readonly title: string;
  readonly content: Html;
}

const text = (...paragraphs: string[]) =>
  html`${paragraphs.map((paragraph) => html`<p>${prose(paragraph)}</p>`)}`;
const list = (...entries: string[]) =>
  html`<ul>${entries.map((entry) => html`<li>${prose(entry)}</li>`)}</ul>`;
const json = (value: unknown) => codeBlock(jsonMarkup(value));

const FIRST_CALL = `export ROSTER_URL=http://127.0.0.1:3000
export ROSTER_KEY=rk_…

curl "$ROSTER_URL/v1/contacts" \\
  -H "Authorization: Bearer $ROSTER_KEY"`;

const FAILURE = {
  success: false,
  error: {
    code: 'VALIDATION_ERROR',
    message: 'phone_number: is required.',
    details: [{ field: 'phone_number', message: 'is required.' }],
    request_id: 'req_5f0c1d9ab2000042',
  },
};

const PAGINATION = { total: 134, limit: 20, offset: 40, has_more: true };

const sections: readonly (readonly [title: string, content: Html])[] = [
  [
    'First call',
    html`${text(
      'Set the URL of your service and an API key once; the examples on this page use both. Replace the ids in them with ids of your own records. The first start of the service prints a key.',
    )}${codeBlock(FIRST_CALL)}`,
  ],
  [
    'Authentication',
    html`${text('Send an API key with every request, in the header `Authorization`:')}
${codeBlock('Authorization: Bearer $ROSTER_KEY')}
${list(
  'A key belongs to one workspace and sees only the records of that workspace. Records of other workspaces do not exist for it (404).',
  'A key with the scope `read` may only read; one with `read_write` may also create, change and delete.',
  'A key that is missing, malformed, unknown, revoked or expired always gets 401 `UNAUTHORIZED`, before anything else in the request is checked.',
)}`,
  ],
  [
    'Paths',
    html`${text(
      'Every path is available under two prefixes, `/v1` and `/api/v1`, which are equivalent. This page uses the short one.',
    )}<p>The OpenAPI 3.1 document is at <a href="/openapi.json">/openapi.json</a>.</p>`,
  ],
  [
    'Requests',
    list(
      'Send a body as one JSON object of at most 1 MiB, with the header `Content-Type: application/json`.',
      'An unknown field is rejected with a 400 that names it, so a typo never passes silently.',
      'Fields that the service owns, such as `id` and the timestamps, are accepted and ignored: a record can be sent back as it was read.',
      'Lengths are counted in Unicode characters. Text is stored exactly as it was sent.',
    ),
  ],
  [
    'Envelope',
    html`${text(
      'Every response is one JSON object. On success, `success` is `true` and `data` contains the record, the list of records, or `{"deleted": true}` after a delete. Lists add `pagination`.',
      'A create returns 201 with the path of the new record in the header `Location`; every other success is 200. Every response has a header `X-Request-Id`.',
    )}${json({ success: true, data: { deleted: true } })}`,
  ],
  [
    'Errors',
    html`${text(
      'On failure, `success` is `false` and `error` says what happened. Rely on `code`, which never changes; `message` is written for people. `details` is optional: a list of the invalid fields, or for a conflict the conflicting record. Include `request_id` when you report a problem.',
    )}${json(FAILURE)}${errorTable('All error codes', allErrors)}`,
  ],
  [
    'Safe edits',
    html`${text(
      'Create, get and update return a header `ETag`, which changes with the record. Send it in `If-Match` with an update or a delete: if the record has changed since, the response is 412 `PRECONDITION_FAILED` and nothing is changed. Read the record again, and send the change with its new ETag.',
      'Send it in `If-None-Match` with a get: while the record is unchanged, the response is 304 without a body.',
    )}${codeBlock('If-Match: "2026-11-15T03:08:03.207Z"')}`,
  ],
  [
    'Safe retries',
    html`${text(
      'Send a header `Idempotency-Key` with a create or an update: a unique value for every request, of 1 to 255 printable characters. If the response is lost, send the same request with the same key again within 24 hours: it is executed once, and the first response is returned with the header `Idempotent-Replayed: true`.',
      'The same key with another body, record or `If-Match` returns 422 `IDEMPOTENCY_MISMATCH`; while the first request is running, 409 `CONFLICT` with `Retry-After`. An invalid request is not remembered: correct it and reuse the key.',
    )}${codeBlock('Idempotency-Key: 019bc0a4-5e40-7c41-b1d2-6f0a9c3e58d7')}`,
  ],
  [
    'Pagination',
    html`${text(
      'Lists are newest first. `limit` is the number of records on a page, from 1 to 100 and 20 by default; `offset` is the number to skip. An offset past the end returns an empty list; a value outside its range returns 400.',
    )}${json(PAGINATION)}${text(
      '`total` counts all matching records. While `has_more` is `true`, add `limit` to `offset` and request the next page.',
    )}`,
  ],
  [
    'Ids',
    html`${list(
      'A contact: `contact_` and 26 characters, for example `contact_01h455vb4pex5vsknk084sn02q`. A path also accepts the same value as a UUID.',
      'An agent and each of its versions: a UUID, for example `019bc0a4-5e40-7c41-b1d2-6f0a9c3e58d7`.',
    )}${text('Treat ids as opaque strings. They begin with the creation time, so they sort by age.')}`,
  ],
  [
    'Timestamps',
    text(
      'Times are UTC, in ISO 8601 with milliseconds: `2026-01-15T09:30:00.000Z`. They sort as text. `updated_at` moves forward with every accepted update, even when nothing else changes.',
    ),
  ],
];

export const introSections = (anchors: Anchors): IntroSection[] =>
  sections.map(([title, content]) => {
    const anchor = anchors(title);
    return {
      anchor,
      title,
      content: html`<section class="topic" aria-labelledby="${anchor}">${heading(2, anchor, title)}${content}</section>`,
    };
  });
