import assert from 'node:assert/strict';
import type { Json, Reply } from '../service/test-service.ts';

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Terms of databases, stack traces and file systems. */
const INTERNALS =
  /select |insert into|constraint|sqlite|postgres|errno|node:|\.ts\b|\.js\b|\bat \w+ \(|\/src\//i;

/** Asserts that a response is this error in the common format, and returns its error object. */
export const assertError = (reply: Reply, status: number, code: string): Json => {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.deepEqual(Object.keys(reply.body), ['success', 'error']);
  const { success, error } = reply.body;
  assert.equal(success, false);
  const { details: _, ...rest } = error;
  assert.deepEqual(Object.keys(rest).sort(), ['code', 'message', 'request_id']);
  assert.equal(error.code, code);
  assert.match(error.message, /^[^\n]{10,}$/);
  assert.doesNotMatch(error.message, INTERNALS);
  assert.match(error.request_id, /\S/);
  assert.equal(error.request_id, reply.headers.get('x-request-id'));
  return error;
};

/** Asserts a 400 with exactly these fields, and returns its error object. */
export const assertInvalid = (reply: Reply, ...fields: string[]): Json => {
  const error = assertError(reply, 400, 'VALIDATION_ERROR');
  assert.deepEqual(
    error.details.map((problem: Json) => problem.field),
    fields,
    reply.text,
  );
  for (const problem of error.details) {
    assert.deepEqual(Object.keys(problem), ['field', 'message']);
    assert.match(problem.message, /\S/);
  }
  return error;
};

/** A response without its request id and its date, which always differ. Whether the connection stays open depends on how much of
 *  the body had arrived. */
export const comparableReply = (reply: Reply) => {
  const headers = Object.fromEntries(reply.headers);
  const id = headers['x-request-id'] ?? '';
  for (const name of ['date', 'connection', 'keep-alive']) delete headers[name];
  return {
    status: reply.status,
    headers: { ...headers, 'x-request-id': '' },
    text: id ? reply.text.replaceAll(id, '') : reply.text,
  };
};
