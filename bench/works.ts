import type { Filled } from './fill.ts';
import { COMMON_NAME, fullNames, RARE_NAME, TAG } from './people.ts';

/** Requests of one kind. */
export interface Traffic {
  readonly method: 'GET' | 'POST';
  readonly key: string;
  /** Each request uses a random one. */
  readonly paths: readonly string[];
  /** Whether it requests pages of a list. */
  readonly isList?: boolean;
  /** A body in which `NUMBER` is replaced with nine digits that no other request has. */
  readonly body?: string;
}

export const NUMBER = '999999999';

/** The body of a create: a contact with a new number. */
const NEW_CONTACT = JSON.stringify({
  phone_number: `+10${NUMBER}`,
  first_name: 'Grace',
  last_name: 'Northfield',
  email: `northfield.${NUMBER}@example.com`,
  company: 'Company 1',
  notes: 'Met at fair 7, asked for a call in the afternoon.',
  tags: ['customer', TAG],
});

const readTraffic =
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
  rare: readTraffic(`/v1/contacts?search=${RARE_NAME.toLowerCase()}`),
  short: readTraffic('/v1/contacts?search=zo'),
} satisfies Record<string, (filled: Filled) => Traffic>;

/** Different pages from an offset. */
export const deepPage = (offset: number) =>
  readTraffic(...Array.from({ length: 1_000 }, (_, at) => `/v1/contacts?offset=${offset + at * 20}`));

/** Searches with many matches, with few, and with too few letters for an index. */
export const stormTraffic = readTraffic(
  ...[COMMON_NAME, RARE_NAME, 'ash', 'zo'].map((text) => `/v1/contacts?search=${text.toLowerCase()}`),
);
