import type { Database } from '../src/db/database.ts';
import type { Db } from '../src/db/db.ts';
import { openStorage } from '../src/db/open/open.ts';
import { write } from '../src/db/operation.ts';
import { createAgent, getAgent, updateAgent } from '../src/features/agents/agent.service.ts';
import { deployVersion } from '../src/features/agents/deploy.service.ts';
import { createField } from '../src/features/fields/field.service.ts';
import { createKey } from '../src/features/workspaces/key.service.ts';
import type { Principal } from '../src/features/workspaces/principal.ts';
import { createWorkspace, DEFAULT_WORKSPACE } from '../src/features/workspaces/workspace.service.ts';
import { timestamp } from '../src/lib/clock.ts';
import { presets } from '../src/lib/scopes.ts';
import { insertContacts } from '../test/kit/fixtures/insert-contacts.ts';
import { contactAt, FILTERABLE, instructionsOf, personalAt } from './people.ts';
import { printProgress } from './progress.ts';

/** The size of a database: the contacts of one workspace, and the number of other workspaces. */
export interface Size {
  readonly contacts: number;
  readonly neighbours: number;
  /** Whether contacts have values of filterable fields. */
  readonly hasFields?: true;
}

/** What requests need to know about a filled database. */
export interface Filled extends Size {
  readonly key: string;
  readonly workspace: number;
  /** The agent with twenty versions. */
  readonly agent: string;
  /** Some contacts from the whole list. */
  readonly ids: readonly string[];
}

const STEP = 1_000;
const MAX_IDS = 10_000;
const VERSIONS = 20;
const CONTACTS_PER_NEIGHBOUR = 5;

type Range = { from: number; to: number; count: number; hasFields?: true };

/** Writes contacts with the service's own code, many in one transaction. */
const insertContactRange = write(
  'insertContactRange',
  async (db: Db, principal: Principal, { from, to, count, hasFields }: Range): Promise<string[]> => {
    const facts = Array.from({ length: to - from }, (_, at) =>
      (hasFields ? personalAt : contactAt)(from + at, count),
    );
    const ids = await insertContacts(db, principal, { facts, source: 'api', now: timestamp() });
    return ids.filter((id) => id !== undefined);
  },
);

const insertNeighbours = write(
  'insertNeighbours',
  async (db: Db, _: null, { from, to }: Omit<Range, 'count'>) => {
    for (let at = from; at < to; at++) {
      const { id } = await createWorkspace(db, null, { name: `neighbour ${at}` });
      const people = { from: 0, to: CONTACTS_PER_NEIGHBOUR, count: STEP };
      await insertContactRange(db, { workspace: id, actor: 'bench' }, people);
    }
  },
);

const insertFields = write('insertFields', async (db: Db, principal: Principal) => {
  for (const field of FILTERABLE) await createField(db, principal, { ...field, filterable: true });
});

/** An agent with versions, of which the second newest is deployed. */
const insertAgent = write('insertAgent', async (db: Db, principal: Principal): Promise<string> => {
  const { id } = await createAgent(db, principal, { name: 'Front desk', instructions: instructionsOf(1) });
  for (let version = 2; version <= VERSIONS; version++) {
    await updateAgent(db, principal, { id, instructions: instructionsOf(version) });
  }
  const { versions } = JSON.parse((await getAgent(db, principal, { id })).json);
  await deployVersion(db, principal, { agent: id, version: versions[1].id, note: null });
  return id;
});

/** Fills an empty database. */
export const fill = async (database: Database, size: Size): Promise<Filled> => {
  const { contacts, neighbours, hasFields } = size;
  const storage = await openStorage(database, {
    onFault: (error) => {
      throw error;
    },
  });
  const { id: workspace } = await storage.run(createWorkspace, null, { name: DEFAULT_WORKSPACE });
  const scopes = [...presets.read_write, 'events:read', 'campaigns:write'] as const;
  const wanted = { workspace, name: 'bench', scopes, expires_at: null };
  const principal = { workspace, actor: 'bench' };
  const { key } = await storage.run(createKey, principal, wanted);
  const agent = await storage.run(insertAgent, principal, null);
  for (let from = 0; from < neighbours; from += 100) {
    await storage.run(insertNeighbours, null, { from, to: Math.min(from + 100, neighbours) });
  }
  if (hasFields) await storage.run(insertFields, principal, null);
  const ids: string[] = [];
  const step = Math.ceil(contacts / MAX_IDS);
  for (let from = 0; from < contacts; from += STEP) {
    const to = Math.min(from + STEP, contacts);
    const range = { from, to, count: contacts, ...(hasFields && { hasFields }) };
    const placed = await storage.run(insertContactRange, principal, range);
    ids.push(...placed.filter((_, at) => (from + at) % step === 0));
    if (to % 50_000 === 0)
      printProgress(`filled ${to.toLocaleString('en')} of ${contacts.toLocaleString('en')} contacts`);
  }
  await storage.close();
  return { ...size, key, workspace, agent, ids };
};
