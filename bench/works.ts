import type { Filled } from './fill.ts';
import { COMMON_NAME, fullNames, RARE_NAME, TAG } from './people.ts';

/** Requests of one kind. */
export interface Traffic {
  readonly method: 'GET' | 'POST';
  readonly key: string;
  /** Each request uses a random one. */
  readonly paths: readonly string[];
  /** Whether it requests pages of a list. */
  readonly isPage?: boolean;
  /** A body in which `NUMBER` is replaced with nine digits that no other request has. */
  readonly body?: string;
}

export const NUMBER = '999999999';

/** The body of a create: a person with a new number. */
const NEW_PERSON = JSON.stringify({
  phone_number: `+10${NUMBER}`,
  first_name: 'Grace',
  last_name: 'Northfield',
  email: `northfield.${NUMBER}@example.com`,
  company: 'Company 1',
  notes: 'Met at fair 7, asked for a call in the afternoon.',
  tags: ['customer', TAG],
});

const reading =
  (...paths: string[]) =>
  (filled: Filled): Traffic => ({ method: 'GET', key: filled.key, paths, isPage: true });

/** Every kind of request that is measured. */
export const works = {
  get: ({ key, ids }: Filled): Traffic => ({
    method: 'GET',
    key,
    paths: ids.map((id) => `/v1/contacts/${id}`),
  }),
  list: reading('/v1/contacts'),
  tag: reading(`/v1/contacts?tag=${TAG}`),
  // So many different names that hardly any result is cached.
  search: reading(
    ...fullNames.map((name) => `/v1/contacts?search=${encodeURIComponent(name.toLowerCase())}`),
  ),
  'search.again': reading(`/v1/contacts?search=${COMMON_NAME.toLowerCase()}`),
  agent: ({ key, agent }: Filled): Traffic => ({ method: 'GET', key, paths: [`/v1/agents/${agent}`] }),
  create: ({ key }: Filled): Traffic => ({ method: 'POST', key, paths: ['/v1/contacts'], body: NEW_PERSON }),
  rare: reading(`/v1/contacts?search=${RARE_NAME.toLowerCase()}`),
  short: reading('/v1/contacts?search=zo'),
} satisfies Record<string, (filled: Filled) => Traffic>;

/** Different pages from an offset. */
export const deepPage = (offset: number) =>
  reading(...Array.from({ length: 1_000 }, (_, at) => `/v1/contacts?offset=${offset + at * 20}`));

/** Searches with many matches, with few, and with too few letters for an index. */
export const stormOf = reading(
  ...[COMMON_NAME, RARE_NAME, 'ash', 'zo'].map((text) => `/v1/contacts?search=${text.toLowerCase()}`),
);
