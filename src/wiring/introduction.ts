/** The description of the API document, in Markdown. The reference at `/docs` shows it first. */
export const introduction = `Contacts and AI agents with versioned instructions. Every record belongs to the workspace of the API key.

## First call

The first start of the service prints an API key. Enter it under **Authentication** to try requests on this page; it is
forgotten when you close the page. In a terminal:

\`\`\`bash
curl http://127.0.0.1:3000/v1/contacts \\
  -H "Authorization: Bearer $ROSTER_KEY"
\`\`\`

## Authentication

Send an API key with every request, as \`Authorization: Bearer rk_…\`. A key sees only the records of its workspace, and its
scopes decide what it may do; the description of each endpoint names the one that it requires. A key that is missing, malformed,
unknown, revoked or expired gets 401 \`UNAUTHORIZED\`, before the query and the body are checked. A key without the required
scope gets 403 \`FORBIDDEN\`.

## Requests

- Every path is available under \`/v1\` and \`/api/v1\`.
- A body is one JSON object of at most 1 MiB, with \`Content-Type: application/json\`.
- An unknown field is rejected with a 400 that names it. Fields that the service sets, such as \`id\` and the timestamps, are
  accepted and ignored: a record can be sent back as it was read.
- Lengths count Unicode characters. Text is stored exactly as it was sent.
- Times are UTC, such as \`2026-01-15T09:30:00.000Z\`.

## Responses

Every response is one JSON object and has the header \`X-Request-Id\`. On success, \`success\` is \`true\` and \`data\` contains the
record, the list of records, or \`{"deleted": true}\`. A create returns 201 with the path of the new record in \`Location\`; every
other success is 200. On failure, \`success\` is \`false\` and \`error\` says what happened:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "VALIDATION_ERROR",
    "message": "phone_number: is required.",
    "details": [{ "field": "phone_number", "message": "is required." }],
    "request_id": "req_5f0c1d9ab2000042"
  }
}
\`\`\`

Rely on \`code\`; \`message\` is written for people. Include \`request_id\` when you report a problem.

## Lists

Lists are newest first. \`limit\` is the number of records on a page (1 to 100, by default 20), and \`offset\` the number to skip.
\`pagination.total\` counts all matching records. While \`pagination.has_more\` is \`true\`, add \`limit\` to \`offset\`.
To read all contacts, follow the cursor in the \`Link\` header instead: start with \`?cursor=\` or with a \`sort\`.

## Safe edits and retries

- Create, get and update return an \`ETag\`. Send it in \`If-Match\` with an update or a delete: if the record has changed since,
  the response is 412 \`PRECONDITION_FAILED\` and nothing changes. With a get, send it in \`If-None-Match\`: the response is 304
  while the record is unchanged.
- Send a unique \`Idempotency-Key\` with a create or an update. If the response is lost, send the same request with the same
  key again within 24 hours: it is executed once, and the first response is returned with \`Idempotent-Replayed: true\`.
`;
