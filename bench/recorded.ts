import { Client } from 'pg';
import { openStorage } from '../src/db/open.ts';
import type { Storage } from '../src/db/storage.ts';
import { createContact, getContact, listContacts } from '../src/features/contacts/contact.service.ts';
import type { Filled } from './fill.ts';
import { fullNames } from './people.ts';
import { NUMBER, works } from './works.ts';

/** A statement as it was sent. */
export interface Asked {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The recorded values that differ from one create to the next. */
export interface Differing {
  /** The nine digits of the phone number. */
  readonly number: string;
  readonly id: string;
  readonly seq: number;
}

/** The statements that Roster sends for requests of one kind. */
export interface Recording {
  readonly requests: readonly (readonly Asked[])[];
  readonly differing?: Differing;
}

/** Records the statements that are sent while a function uses the storage. */
const record = async (url: string, ask: (storage: Storage) => unknown): Promise<Asked[]> => {
  const storage = await openStorage({ engine: 'postgres', url }, { onFault: console.error });
  const asked: Asked[] = [];
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: [Asked | string, ...unknown[]]) {
    asked.push(typeof args[0] === 'string' ? { text: args[0] } : args[0]);
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await ask(storage);
  } finally {
    Client.prototype.query = query;
    await storage.close();
  }
  return asked;
};

/** The number of different requests that are recorded for a kind. */
const DIFFERENT = 16;

const principalOf = ({ workspace }: Filled) => ({ workspace, actor: 'bench' });

const gets = async (url: string, filled: Filled): Promise<Recording> => {
  const requests = [];
  for (const id of filled.ids.slice(0, DIFFERENT)) {
    requests.push(await record(url, (storage) => storage.run(getContact, principalOf(filled), { id })));
  }
  return { requests };
};

const list = (url: string, filled: Filled, query: { search?: string }) =>
  record(url, (storage) => storage.run(listContacts, principalOf(filled), query));

const searches = async (url: string, filled: Filled): Promise<Recording> => {
  const requests = [];
  const apart = fullNames.length / DIFFERENT;
  for (const name of fullNames.filter((_, at) => at % apart === 0)) {
    requests.push(await list(url, filled, { search: name.toLowerCase() }));
  }
  return { requests };
};

const create = async (url: string, filled: Filled): Promise<Recording> => {
  const number = '040000000';
  const fields = JSON.parse((works.create(filled).body ?? '').replaceAll(NUMBER, number));
  let id = '';
  const asked = await record(url, async (storage) => {
    ({ id } = await storage.run(createContact, principalOf(filled), { source: 'api', fields }));
  });
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select seq from contacts where id = $1', [id]);
  await client.end();
  return { requests: [asked], differing: { number, id, seq: Number(rows[0].seq) } };
};

/** The recordings by the names of the works. */
export const recordings = {
  get: gets,
  list: async (url: string, filled: Filled): Promise<Recording> => ({
    requests: [await list(url, filled, {})],
  }),
  search: searches,
  create,
};
