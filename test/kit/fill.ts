import { type ContactFacts, insertContacts } from '../../src/features/contacts/contact.bulk.ts';
import type { TestDatabase } from './engines.ts';
import { makeWorkspace, openBeside } from './workspaces.ts';

const FIRST = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Zoë', 'Ida', 'Noor', 'Émile'];
const LAST = [
  'Lovelace',
  'Hopper',
  'Turing',
  'Dijkstra',
  'Liskov',
  'Knuth',
  'Nguyen',
  'Okafor',
  'Silva',
  'Ito',
];
const AT = '2026-01-01T00:00:00.000Z';

/** What is known of a contact of a large workspace: all have the tag `all`, one in fifty `rare`, a few each one of 3,000,
 *  and every one a name of its own. The numbers are of no real person: the country code 1 has no area code that begins
 *  with 0. */
const factsAt = (at: number, notes: string | null): ContactFacts => {
  const phone_number = `+10${String(at).padStart(9, '0')}`;
  return {
    phone_number,
    phone_identity: phone_number,
    phone_conflict: 0,
    first_name: FIRST[at % 10] as string,
    last_name: LAST[Math.floor(at / 10) % 10] as string,
    display_name: `unique${at}`,
    email: `person${at}@example.com`,
    company: null,
    notes,
    tags: ['all', `tag ${at % 3_000}`, ...(at % 50 === 0 ? ['rare'] : [])],
  };
};

const BATCH = 2_000;

/** Lays many contacts into an empty workspace, with all that is kept beside them, in a few seconds. */
export const fillContacts = async (
  database: TestDatabase,
  workspace: number,
  count: number,
  notes: string | null = null,
): Promise<void> => {
  const storage = await openBeside(database);
  const principal = { workspace, actor: 'test' };
  for (let from = 0; from < count; from += BATCH) {
    const facts = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => factsAt(from + at, notes));
    await storage.run(insertContacts, principal, { facts, source: 'api', now: AT });
  }
  await storage.close();
};

/** Lays many agents into an empty workspace, a tenth of them deleted. */
export const fillAgents = async (
  { query }: TestDatabase,
  workspace: number,
  count: number,
): Promise<void> => {
  await query(
    `insert into agents (workspace_id, id, seq, name, created_at, updated_at, deleted_at, wire)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
     select ${workspace}, 'agent ' || n, n, 'Agent', '${AT}', '${AT}', case when n % 10 = 0 then '${AT}' end, '{}' from numbers`,
  );
  await query(
    `insert into tallies (workspace_id, list, part, count)
     select workspace_id, 'agents', 0, count(*) from agents where workspace_id = ? and deleted_at is null group by 1`,
    workspace,
  );
};

/** Makes a database with a large workspace beside a smaller one, and answers the large one. */
export const fillLarge = async (database: TestDatabase): Promise<number> => {
  const storage = await openBeside(database);
  const { principal } = await makeWorkspace(storage);
  const beside = await makeWorkspace(storage);
  await storage.close();
  await fillContacts(database, beside.principal.workspace, 2_000);
  await fillContacts(database, principal.workspace, 20_000);
  await fillAgents(database, principal.workspace, 2_000);
  return principal.workspace;
};
