import { setTimeout as sleep } from 'node:timers/promises';
import { checkedUser } from '../../kit/dashboard/checked-client.ts';
import { makeRecordSet, type RecordSet } from '../../kit/dashboard/operations.ts';
import { makeOtherWorkspace } from '../../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../../kit/dashboard/users.ts';
import type { Json, Reply, TestService } from '../../kit/service/test-service.ts';
import { standardSignature } from '../../kit/webhooks/channel-hooks.ts';
import type { Client, RawRequest } from './client.ts';
import { type Operation, pathValue } from './operations.ts';

/** The parts of a request that an operation does not determine. */
export interface RequestParts {
  /** Replace the ids of the caller's own records. */
  readonly params?: Readonly<Record<string, string>>;
  /** The encoded query, without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: Json;
  /** Sent without encoding. */
  readonly raw?: string | Uint8Array;
  readonly method?: string;
}

/** The credentials of one workspace for every API, and a record of every kind in it. */
export interface Caller {
  readonly records: RecordSet;
  cookie: string;
  readonly request: (operation: Operation, given?: RequestParts) => RawRequest;
  readonly send: (operation: Operation, given?: RequestParts) => Promise<Reply>;
  /** Reads from the dashboard API. */
  readonly get: (path: string) => Promise<Reply>;
}

const encodeBody = ({ media }: Operation, { body, raw }: RequestParts) => {
  if (raw !== undefined) return raw;
  if (media === 'text/csv') return body === undefined ? 'Phone,Notes\n+12025550142,x\n' : String(body);
  return body === undefined ? undefined : JSON.stringify(body);
};

/** The credentials that an operation requires. */
const credentials = (
  { source, template }: Operation,
  body: RawRequest['body'],
  { records, cookie }: Pick<Caller, 'records' | 'cookie'>,
  origin: string,
): Record<string, string> => {
  if (source === 'api') return { authorization: `Bearer ${records.key.key}` };
  if (source === 'dashboard') return { cookie, origin };
  if (template.endsWith('/events')) return standardSignature(records.channel.secret, body ?? '');
  const { secret } = template.startsWith('/hooks/contacts') ? records.integration : records.channel;
  return { authorization: `Bearer ${secret}` };
};

/** A query that an operation requires. */
const requiredQuery = ({ query }: Operation): string | undefined => {
  const required = query.filter(({ required }) => required);
  if (required.length === 0) return undefined;
  return required.map(({ name }) => `${name}=${REQUIRED[name] ?? 'x'}`).join('&');
};

/** Values of required query parameters. */
const REQUIRED: Readonly<Record<string, string>> = { from: 'v1' };

const callerOf = (client: Client, origin: string, records: RecordSet, cookie: string): Caller => {
  const { host } = new URL(origin);
  const request = (operation: Operation, given: RequestParts = {}): RawRequest => {
    const path = operation.template.replace(/\{(\w+)\}/g, (_, slot: string) =>
      encodeURIComponent(given.params?.[slot] ?? pathValue(records, operation, slot)),
    );
    const query = given.query ?? requiredQuery(operation);
    const body = encodeBody(operation, given);
    const type = body !== undefined && { 'content-type': operation.media ?? 'application/json' };
    return {
      method: given.method ?? operation.method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: { host, ...type, ...credentials(operation, body, caller, origin), ...given.headers },
      body,
    };
  };
  const get = (path: string) =>
    client.send({ method: 'GET', path, headers: { host, cookie: caller.cookie } });
  /** An import is planned again in the background, and its responses differ until that is done. */
  const importPlanned = async () => {
    const state = async () => (await get(`/v1/imports/${records.toReplan.id}`)).body?.data?.state;
    while ((await state()) === 'planning') await sleep(10);
  };
  const send = async (operation: Operation, given?: RequestParts) => {
    if (operation.template.includes('/imports')) await importPlanned();
    return client.send(request(operation, given));
  };
  const caller: Caller = { records, cookie, request, send, get };
  return caller;
};

let count = 0;

/** The owner of the workspace `default`, with a new record set. A workspace can have 100 webhooks, so earlier ones are deleted. */
export const makeCaller = async (service: TestService, client: Client): Promise<Caller> => {
  for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'])
    await service.database.query(`delete from ${table}`);
  const email = `attacked${++count}@example.com`;
  const owner = await checkedUser(service, await signedInUser(service, email));
  return callerOf(client, service.url, await makeRecordSet(service, owner), owner.cookie);
};

/** The owner of another workspace, with its own record set. */
export const makeOtherCaller = async (service: TestService, client: Client): Promise<Caller> => {
  const { owner } = await makeOtherWorkspace(service);
  return callerOf(client, service.url, await makeRecordSet(service, owner), owner.cookie);
};
