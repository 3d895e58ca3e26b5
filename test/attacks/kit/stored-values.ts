import assert from 'node:assert/strict';
import type { Json, Reply } from '../../kit/service/test-service.ts';
import type { Operation } from './operations.ts';

type Get = (path: string) => Promise<Reply>;

const dataAt = async (get: Get, path: string): Promise<Json> => {
  const reply = await get(path);
  assert.equal(reply.status, 200, `${path}: ${reply.text}`);
  return reply.body.data;
};

/** Instructions are part of the version that they created. */
const newestVersion = async (get: Get, agent: string): Promise<Json> => {
  const [{ id }] = await dataAt(get, `/v1/agents/${agent}/versions?limit=1`);
  return dataAt(get, `/v1/agents/${agent}/versions/${id}`);
};

/** The path to read a record that an operation has written. */
const READ_AT: Readonly<Record<string, (data: Json) => string>> = {
  contacts: ({ id }) => `/v1/contacts/${id}`,
  agents: ({ id }) => `/v1/agents/${id}`,
  channels: ({ id }) => `/v1/channels/${id}`,
  campaigns: ({ id }) => `/v1/campaigns/${id}`,
  imports: ({ id }) => `/v1/imports/${id}`,
  integrations: ({ id }) => `/v1/integrations/${id}`,
  webhooks: ({ id }) => `/v1/webhooks/${id}`,
  keys: ({ id }) => `/v1/keys/${id}`,
  users: ({ id }) => `/v1/users/${id}`,
  segments: ({ id }) => `/v1/segments/${id}`,
};

/** The objects that contain the texts of a successful write: its response and the stored records. */
export const storedValues = async (
  { source, template }: Operation,
  reply: Reply,
  get: Get,
): Promise<Json[]> => {
  const { data } = reply.body;
  if (template === '/hooks/contacts/{id}')
    return [data.contact, await dataAt(get, `/v1/contacts/${data.contact.id}`)];
  if (template.endsWith('/sessions')) return [data, { number: data.contact?.phone_number }];
  if (source === 'hooks') return [data, await dataAt(get, `/v1/calls/${data.id}`)];
  if (/\/(deploy|rollback)$/.test(template)) return [data, ...(await dataAt(get, '/v1/deploys?limit=1'))];
  if (template.endsWith('/versions')) {
    const { instructions, config } = await dataAt(get, String(reply.headers.get('location')));
    return [data, { instructions, config }];
  }
  const kind = /\/(\w+)(?:\/by-phone)?(?:\/\{\w+\})?$/.exec(template)?.[1] ?? '';
  const stored = READ_AT[kind] ? [await dataAt(get, READ_AT[kind](data))] : [];
  if (kind === 'imports') return [data, ...stored, ...stored.map(({ options }) => options)];
  if (kind === 'views') {
    const views = await dataAt(get, '/dashboard/api/views');
    return [data, views.find(({ id }: Json) => id === data.id)];
  }
  return kind === 'agents' ? [data, ...stored, await newestVersion(get, data.id)] : [data, ...stored];
};
