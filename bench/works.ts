import type { Filled } from './fill.ts';
import { COMMON_NAME, fullNames, RARE_NAME, TAG } from './people.ts';

/** Requests of one kind. */
export interface Traffic {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly key: string;
  /** Each request uses a random one. */
  readonly paths: readonly string[];
  /** Whether it requests pages of a list. */
  readonly isList?: boolean;
  /** A body. `NUMBER`, in it and in the path, is replaced with nine digits that no other request has. */
  readonly body?: string;
  /** Texts of equal length. Each request has a random one in place of the first in its body. */
  readonly values?: readonly string[];
}

export const NUMBER = '999999999';

const PROFILE = {
  first_name: 'Grace',
  last_name: 'Northfield',
  email: `northfield.${NUMBER}@example.com`,
  company: 'Company 1',
  notes: 'Met at fair 7, asked for a call in the afternoon.',
  tags: ['customer', TAG],
};
const NEW_CONTACT = JSON.stringify({ phone_number: `+10${NUMBER}`, ...PROFILE });

/** The maximum of a batch. */
export const BATCH_ROWS = 1_000;

const NEW_BATCH = JSON.stringify({
  operations: Array.from({ length: BATCH_ROWS }, (_, row) => ({
    op: 'create',
    phone_number: `+10${NUMBER}${String(row).padStart(3, '0')}`,
    ...PROFILE,
  })),
});

export const readTraffic =
  (...paths: string[]) =>
  (filled: Filled): Traffic => ({ method: 'GET', key: filled.key, paths, isList: true });

/** Every kind of request that is measured. */
export const trafficByName = {
  get: ({ key, ids }: Filled): Traffic => ({
    method: 'GET',
    key,
    paths: ids.map((id) => `/v1/contacts/${id}`),
  }),
  list: readTraffic('/v1/contacts'),
  tag: readTraffic(`/v1/contacts?tag=${TAG}`),
  // Enough different names that hardly any result is cached.
  search: readTraffic(
    ...fullNames.map((name) => `/v1/contacts?search=${encodeURIComponent(name.toLowerCase())}`),
  ),
  'search.again': readTraffic(`/v1/contacts?search=${COMMON_NAME.toLowerCase()}`),
  agent: ({ key, agent }: Filled): Traffic => ({ method: 'GET', key, paths: [`/v1/agents/${agent}`] }),
  create: ({ key }: Filled): Traffic => ({ method: 'POST', key, paths: ['/v1/contacts'], body: NEW_CONTACT }),
  upsert: ({ key }: Filled): Traffic => ({
    method: 'PUT',
    key,
    paths: [`/v1/contacts/by-phone/+10${NUMBER}`],
    body: JSON.stringify(PROFILE),
  }),
  batch: ({ key }: Filled): Traffic => ({
    method: 'POST',
    key,
    paths: ['/v1/contacts/batch'],
    body: NEW_BATCH,
  }),
  rare: readTraffic(`/v1/contacts?search=${RARE_NAME.toLowerCase()}`),
  short: readTraffic('/v1/contacts?search=zo'),
} satisfies Record<string, (filled: Filled) => Traffic>;

/** Different pages from an offset. */
export const deepPage = (offset: number) =>
  readTraffic(...Array.from({ length: 1_000 }, (_, at) => `/v1/contacts?offset=${offset + at * 20}`));

/** The path of a page after nine tenths of all contacts. */
export const deepCursor = async (url: string, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` };
  let path = '/v1/contacts?cursor=&limit=100';
  for (;;) {
    const response = await fetch(url + path, { headers });
    const { pagination } = (await response.json()) as { pagination: { offset: number; total: number } };
    const next = /^<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) throw new Error(`${path} at ${url} has no next page`);
    if (pagination.offset >= pagination.total * 0.9) return next.replace('limit=100', 'limit=20');
    path = next;
  }
};

/** The path of a page of events after nine tenths of those that the creation of the contacts wrote. */
export const deepFeed = async (url: string, { key, contacts }: Filled): Promise<string> => {
  const headers = { authorization: `Bearer ${key}` };
  let path = '/v1/events?limit=500';
  for (let read = 0; read < contacts * 0.9; read += 500) {
    const response = await fetch(url + path, { headers });
    const { data } = (await response.json()) as { data: { after: string } };
    path = `/v1/events?limit=500&after=${data.after}`;
  }
  return path.replace('limit=500', 'limit=20');
};

/** Searches with many matches, with few, and with too few letters for an index. */
export const stormTraffic = readTraffic(
  ...[COMMON_NAME, RARE_NAME, 'ash', 'zo'].map((text) => `/v1/contacts?search=${text.toLowerCase()}`),
);
