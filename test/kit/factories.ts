import assert from 'node:assert/strict';
import type { Json, TestService } from './service.ts';

let count = 0;

/** A number of the range that is reserved for fiction, different every time. */
export const newPhone = (): string =>
  `+1${200 + (Math.floor(count / 100) % 700)}5550${100 + (count++ % 100)}`;

/** Makes a contact; a test states only what matters to it. */
export const makeContact = async (
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<Json> => {
  const reply = await service.post('/v1/contacts', { phone_number: newPhone(), ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data;
};

export const makeAgent = async (
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<Json> => {
  const reply = await service.post('/v1/agents', { name: 'Agent', instructions: 'Be kind.', ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data;
};
