import { described } from '../../kit/dashboard/checked-client.ts';
import { makeWorld, type World } from '../../kit/dashboard/operations.ts';
import { makeNeighbour } from '../../kit/dashboard/other-workspace.ts';
import { signedIn } from '../../kit/dashboard/users.ts';
import type { Json, Reply, TestService } from '../../kit/service/test-service.ts';
import { standardSignature } from '../../kit/webhooks/channel-hooks.ts';
import type { Client, Sent } from './client.ts';
import { kindOf, type Operation } from './operations.ts';

/** What a request is made of, beside its operation. */
export interface Given {
  /** In place of the caller's own records. */
  readonly params?: Readonly<Record<string, string>>;
  /** As it stands after the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
  readonly method?: string;
}

/** One workspace's ways in at every door, and a record of every kind in it. */
export interface Caller {
  readonly world: World;
  cookie: string;
  readonly request: (operation: Operation, given?: Given) => Sent;
  readonly send: (operation: Operation, given?: Given) => Promise<Reply>;
  /** Reads at the dashboard's door. */
  readonly get: (path: string) => Promise<Reply>;
}

const sentBody = ({ media }: Operation, { body, raw }: Given) => {
  if (raw !== undefined) return raw;
  if (media === 'text/csv') return body === undefined ? 'Phone,Notes\n+12025550142,x\n' : String(body);
  return body === undefined ? undefined : JSON.stringify(body);
};

/** The credentials that an operation asks for. */
const credentials = (
  { door, template }: Operation,
  body: Sent['body'],
  { world, cookie }: Pick<Caller, 'world' | 'cookie'>,
  origin: string,
): Record<string, string> => {
  if (door === 'api') return { authorization: `Bearer ${world.key.key}` };
  if (door === 'dashboard') return { cookie, origin };
  if (template.endsWith('/events')) return standardSignature(world.channel.secret, body ?? '');
  const { secret } = template.startsWith('/hooks/contacts') ? world.integration : world.channel;
  return { authorization: `Bearer ${secret}` };
};

const callerOf = (client: Client, origin: string, world: World, cookie: string): Caller => {
  const { host } = new URL(origin);
  const request = (operation: Operation, given: Given = {}): Sent => {
    const path = operation.template.replace(/\{(\w+)\}/g, (_, slot: string) =>
      encodeURIComponent(given.params?.[slot] ?? world[kindOf(operation, slot)].id),
    );
    const body = sentBody(operation, given);
    const type = body !== undefined && { 'content-type': operation.media ?? 'application/json' };
    return {
      method: given.method ?? operation.method,
      path: given.query === undefined ? path : `${path}?${given.query}`,
      headers: { host, ...type, ...credentials(operation, body, caller, origin), ...given.headers },
      body,
    };
  };
  const send = (operation: Operation, given?: Given) => client.send(request(operation, given));
  const get = (path: string) =>
    client.send({ method: 'GET', path, headers: { host, cookie: caller.cookie } });
  const caller: Caller = { world, cookie, request, send, get };
  return caller;
};

let count = 0;

/** The owner of the workspace `default`, with a new world. */
export const makeCaller = async (service: TestService, client: Client): Promise<Caller> => {
  const email = `attacked${++count}@example.com`;
  const owner = await described(service, await signedIn(service, email));
  return callerOf(client, service.url, await makeWorld(service, owner), owner.cookie);
};

/** The owner of another workspace, with a world of its own. */
export const makeForeigner = async (service: TestService, client: Client): Promise<Caller> => {
  const { owner } = await makeNeighbour(service);
  return callerOf(client, service.url, await makeWorld(service, owner), owner.cookie);
};
