import assert from 'node:assert/strict';
import type { Json } from '../kit/service/test-service.ts';
import { type ApiClient, clientWithKey, signInOwner } from './client.ts';
import type { FilledSecrets } from './fill.ts';

/** Responses by path, as a version returned them. */
export type Responses = Record<string, Json>;

export interface Expectation {
  /** Of the public API. */
  readonly api: Responses;
  /** Of the dashboard's API; empty if the version had none. */
  readonly dashboard: Responses;
  /** Of the public API for the second workspace. */
  readonly otherWorkspace: Responses;
}

/** Fields that change by reading or by the passing of time. */
const VOLATILE = new Set(['last_used_at', 'last_seen_at', 'last_sign_in_at']);

const readAll = async (client: ApiClient, paths: readonly string[]): Promise<Responses> => {
  const responses: Responses = {};
  for (const path of paths) {
    const reply = await client.call('GET', path);
    // Older versions have fewer routes.
    if (reply.status !== 404) {
      assert.equal(reply.status, 200, `${path}: ${reply.text}`);
      responses[path] = reply.body;
    }
  }
  return responses;
};

const idsIn = (body: Json): string[] => (body?.data ?? []).map(({ id }: Json) => id);

/** Reads every record of both workspaces. */
export const readEverything = async (
  url: string,
  secrets: Pick<FilledSecrets, 'otherWorkspace'>,
): Promise<Expectation> => {
  const key = clientWithKey(url);
  const lists = await readAll(key, [
    '/v1/contacts?limit=100',
    '/v1/contacts?search=zo%C3%AB',
    '/v1/contacts?search=4155550',
    '/v1/contacts?tag=customer&limit=100',
    '/v1/agents?limit=100',
  ]);
  const ids = (path: string) => idsIn(lists[path]);
  const api = {
    ...lists,
    ...(await readAll(key, [
      ...ids('/v1/contacts?limit=100').map((id) => `/v1/contacts/${id}`),
      ...ids('/v1/agents?limit=100').map((id) => `/v1/agents/${id}`),
    ])),
  };
  const owner = await signInOwner(url);
  return {
    api,
    dashboard: owner ? await readDashboard(owner, ids('/v1/agents?limit=100')) : {},
    otherWorkspace: await readAll(clientWithKey(url, secrets.otherWorkspace), ['/v1/contacts', '/v1/agents']),
  };
};

const readDashboard = async (owner: ApiClient, agents: readonly string[]): Promise<Responses> => {
  const lists = await readAll(owner, [
    '/channels',
    '/calls?limit=100',
    '/campaigns',
    '/integrations',
    '/keys',
    '/users',
    '/settings',
    '/tags',
    '/deploys',
    '/imports',
    '/contacts/conflicts',
    ...agents.flatMap((id) => [`/agents/${id}/active`, `/agents/${id}/deploys`, `/agents/${id}/versions`]),
  ]);
  return {
    ...lists,
    ...(await readAll(owner, [
      ...idsIn(lists['/campaigns']).map((id) => `/campaigns/${id}/enrollments?limit=100`),
      ...idsIn(lists['/imports']).map((id) => `/imports/${id}/rows?limit=100`),
    ])),
  };
};

/** Where a value differs from what an older version returned. Newer versions may add fields. */
export const differencesFrom = (actual: Json, expected: Json, path: string): string[] => {
  const inside = (names: readonly (string | number)[]) =>
    names.flatMap((name) => differencesFrom(actual?.[name], expected[name], `${path}.${name}`));
  if (Array.isArray(expected)) {
    return actual?.length === expected.length
      ? inside([...expected.keys()])
      : [`${path} has ${actual?.length} elements instead of ${expected.length}`];
  }
  if (typeof expected === 'object' && expected !== null)
    return inside(Object.keys(expected).filter((name) => !VOLATILE.has(name)));
  return actual === expected ? [] : [`${path} is ${actual} instead of ${expected}`];
};
