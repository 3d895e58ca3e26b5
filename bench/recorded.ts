import { Client } from 'pg';
import { openStorage } from '../src/db/open/open.ts';
import type { Storage } from '../src/db/storage.ts';
import { createContact, getContact } from '../src/features/contacts/contact.service.ts';
import { listContacts } from '../src/features/contacts/list.service.ts';
import type { Filled } from './fill.ts';
import { fullNames } from './people.ts';
import { NUMBER, trafficByName } from './works.ts';

/** A statement as it was sent. */
export interface RecordedQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The recorded values that differ from one create to the next. */
export interface VaryingValues {
  /** The nine digits of the phone number. */
  readonly number: string;
  readonly id: string;
  readonly seq: number;
}

/** The statements that Roster sends for requests of one kind. */
export interface Recording {
  readonly requests: readonly (readonly RecordedQuery[])[];
  readonly differing?: VaryingValues;
}

/** Records the statements that are sent while a function uses the storage. */
const record = async (url: string, run: (storage: Storage) => unknown): Promise<RecordedQuery[]> => {
  const storage = await openStorage({ engine: 'postgres', url }, { onFault: console.error });
  const queries: RecordedQuery[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: [RecordedQuery | string, ...unknown[]]) {
    queries.push(typeof args[0] === 'string' ? { text: args[0] } : args[0]);
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await run(storage);
  } finally {
    Client.prototype.query = query;
    await storage.close();
  }
  return queries;
};

/** The number of different requests that are recorded for a kind. */
const VARIANTS = 16;

const principalOf = ({ workspace }: Filled) => ({ workspace, actor: 'bench' });

const recordGets = async (url: string, filled: Filled): Promise<Recording> => {
  const requests = [];
  for (const id of filled.ids.slice(0, VARIANTS)) {
    requests.push(await record(url, (storage) => storage.run(getContact, principalOf(filled), { id })));
  }
  return { requests };
};

const list = (url: string, filled: Filled, query: { search?: string }) =>
  record(url, (storage) => storage.run(listContacts, principalOf(filled), query));

const searches = async (url: string, filled: Filled): Promise<Recording> => {
  const requests = [];
  const step = fullNames.length / VARIANTS;
  for (const name of fullNames.filter((_, at) => at % step === 0)) {
    requests.push(await list(url, filled, { search: name.toLowerCase() }));
  }
  return { requests };
};

const create = async (url: string, filled: Filled): Promise<Recording> => {
  const number = '040000000';
  const fields = JSON.parse((trafficByName.create(filled).body ?? '').replaceAll(NUMBER, number));
  let id = '';
  const queries = await record(url, async (storage) => {
    ({ id } = await storage.run(createContact, principalOf(filled), { source: 'api', fields }));
  });
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select seq from contacts where id = $1', [id]);
  await client.end();
  return { requests: [queries], differing: { number, id, seq: Number(rows[0].seq) } };
};

/** The recordings by the names of the works. */
export const recordings = {
  get: recordGets,
  list: async (url: string, filled: Filled): Promise<Recording> => ({
    requests: [await list(url, filled, {})],
  }),
  search: searches,
  create,
};
