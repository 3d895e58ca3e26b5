import assert from 'node:assert/strict';
import type { CheckedUser } from '../dashboard/checked-client.ts';
import { newPhone } from '../fixtures/factories.ts';
import type { CallOptions, Json, Reply, TestService } from '../service/test-service.ts';

/** A kind of record with an ETag, in one of the APIs that serve it. */
export interface ETagResource {
  readonly name: string;
  readonly canDelete: boolean;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  /** Creates a record and returns the response. */
  make(): Promise<Reply>;
  /** A visible change, different for every number. */
  change(number: number): Json;
}

/** Every kind of record with an ETag, in every API. */
export const etagResources = (service: TestService, owner: () => CheckedUser): ETagResource[] => {
  const dashboard = (method: string, path: string, body?: unknown, options?: CallOptions) =>
    owner().call(method, path, body, options);
  const v1: typeof dashboard = (...args) => service.call(...args);
  const made = async (reply: Promise<Reply>): Promise<Reply> => {
    assert.equal((await reply).status, 201, (await reply).text);
    return reply;
  };
  const contact = () => ({ phone_number: newPhone(), first_name: 'Ada' });
  const agent = () => ({ name: 'Agent', instructions: 'Be kind.' });
  const apis = [
    ['/v1', '/v1', v1],
    ['/api/v1', '/api/v1', v1],
    ['the dashboard', '', dashboard],
  ] as const;
  return [
    ...apis.flatMap(([api, prefix, send]): ETagResource[] => {
      const call: ETagResource['call'] = (method, path, body, options) =>
        send(method, prefix + path, body, options);
      return [
        {
          name: `a contact at ${api}`,
          canDelete: true,
          call,
          make: () => made(call('POST', '/contacts', contact())),
          change: (number) => ({ first_name: `Name ${number}` }),
        },
        {
          name: `an agent at ${api}`,
          canDelete: true,
          call,
          make: () => made(call('POST', '/agents', agent())),
          change: (number) => ({ instructions: `Text ${number}` }),
        },
      ];
    }),
    {
      name: 'a channel',
      canDelete: true,
      call: dashboard,
      make: () => made(dashboard('POST', '/channels', { kind: 'web_chat', name: 'Chat', address: 'shop' })),
      change: (number) => ({ name: `Name ${number}` }),
    },
    {
      name: 'a campaign',
      canDelete: false,
      call: dashboard,
      make: async () => {
        const { id } = await owner().request('POST', '/agents', agent(), 201);
        return made(dashboard('POST', '/campaigns', { name: 'Campaign', agent_id: id }));
      },
      change: (number) => ({ name: `Name ${number}` }),
    },
  ];
};

/** The path of a new record, without the prefix of its API. */
export const locationOf = (reply: Reply): string =>
  (reply.headers.get('location') ?? '').replace(/^\/(?:v1|api\/v1|dashboard\/api)/, '');

/** The ETag of a response. Asserts that it is a strong one. */
export const etagOf = (reply: Reply): string => {
  const etag = reply.headers.get('etag') ?? '';
  assert.match(etag, /^"[\x21\x23-\x7e]+"$/, `${reply.status} ${reply.text}`);
  return etag;
};
