import assert from 'node:assert/strict';
import type { Json, Reply, TestService } from './service.ts';

export const CREATED_KEYS = [
  'company',
  'created_at',
  'display_name',
  'email',
  'first_name',
  'id',
  'last_name',
  'notes',
  'phone_number',
  'source',
  'tags',
  'updated_at',
];
export const LISTED_KEYS = [...CREATED_KEYS, 'first_contact_at', 'last_contact_at'].sort();
export const FULL_KEYS = [...LISTED_KEYS, 'crm_ids'].sort();

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const keysOf = (value: object): string[] => Object.keys(value).sort();

/** The contact as a get answers it. */
export const getContact = async (service: TestService, id: string): Promise<Json> => {
  const reply = await service.get(`/v1/contacts/${id}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
};

/** A page of the list; each value of the query is encoded. */
export const listContacts = async (
  service: TestService,
  query: Record<string, string | number> = {},
): Promise<{ data: Json[]; pagination: Json }> => {
  const fields = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const reply = await service.get(`/v1/contacts?${fields.join('&')}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};

/** The ids on one page of the list, whose total must count the same contacts. */
export const idsOf = async (
  service: TestService,
  query: Record<string, string | number>,
): Promise<string[]> => {
  const { data, pagination } = await listContacts(service, { limit: 100, ...query });
  assert.equal(pagination.total, data.length);
  return data.map(({ id }) => id);
};

export const totalOf = async (service: TestService, query: Record<string, string> = {}): Promise<number> =>
  (await listContacts(service, query)).pagination.total;

/** Asserts that a reply is the error it should be, in the one form that errors have, and gives its error object. */
export const assertError = (reply: Reply, status: number, code: string): Json => {
  assert.equal(reply.status, status, reply.text);
  assert.deepEqual(keysOf(reply.body), ['error', 'success']);
  const { success, error } = reply.body;
  assert.equal(success, false);
  assert.equal(error.code, code);
  assert.equal(error.request_id, reply.headers.get('x-request-id'));
  assert.match(error.message, /^[^\n]{10,}$/);
  const allowed = ['code', 'details', 'message', 'request_id'];
  assert.deepEqual(
    keysOf(error),
    allowed.filter((key) => key !== 'details' || 'details' in error),
  );
  return error;
};

/** Asserts that a call is refused and leaves every contact as it was; gives the error object. */
export const refuses = async (
  service: TestService,
  status: number,
  code: string,
  call: () => Promise<Reply>,
): Promise<Json> => {
  const before = await listContacts(service, { limit: 100 });
  const error = assertError(await call(), status, code);
  assert.deepEqual(await listContacts(service, { limit: 100 }), before);
  return error;
};

/** Asserts a 400 that names exactly these fields; gives the first message. */
export const refusesFields = async (
  service: TestService,
  fields: readonly string[],
  call: () => Promise<Reply>,
): Promise<string> => {
  const error = await refuses(service, 400, 'VALIDATION_ERROR', call);
  assert.deepEqual(
    error.details.map((detail: Json) => detail.field),
    fields,
  );
  for (const detail of error.details) {
    assert.deepEqual(keysOf(detail), ['field', 'message']);
    assert.equal(typeof detail.message, 'string');
  }
  return error.details[0].message;
};
