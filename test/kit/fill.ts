import { contactId } from '../../src/contacts/contact.service.ts';
import { type ContactRow, rowOf } from '../../src/contacts/contact.store.ts';
import { openFile, SqliteDb } from '../../src/storage/sqlite/connection.ts';
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

/** A contact of a large workspace: all have the tag `all`, one in fifty `rare`, a few each
 *  one of 3,000, and every one a name of its own. The numbers are of no
 *  real person: the country code 1 has no area code that begins with 0. */
const contactAt = (workspace: number, at: number): ContactRow => {
  const phone_number = `+10${String(at).padStart(9, '0')}`;
  const tags = ['all', `tag ${at % 3_000}`, ...(at % 50 === 0 ? ['rare'] : [])];
  return rowOf({
    workspace_id: workspace,
    id: contactId.create(),
    phone_number,
    phone_identity: phone_number,
    phone_conflict: 0,
    first_name: FIRST[at % 10] as string,
    last_name: LAST[Math.floor(at / 10) % 10] as string,
    display_name: `unique${at}`,
    email: `person${at}@example.com`,
    company: null,
    notes: null,
    tags: JSON.stringify(tags),
    source: 'api',
    first_contact_at: AT,
    last_contact_at: AT,
    created_at: AT,
    updated_at: AT,
  });
};

/** What follows from the rows in `contacts`: the tags in list order and the counts. */
const BESIDE = (eachTag: string) => [
  `insert into contact_tags (workspace_id, tag, seq) select workspace_id, value, seq from contacts, ${eachTag} where workspace_id = ?`,
  `insert into tallies (workspace_id, list, part, count)
     select workspace_id, 'contacts:' || tag, 0, count(*) from contact_tags where workspace_id = ? group by 1, 2`,
  `insert into tallies (workspace_id, list, part, count)
     select workspace_id, 'contacts', 0, count(*) from contacts where workspace_id = ? group by 1`,
];

const BATCH = 2_000;

const fillSqlite = async (path: string, workspace: number, count: number) => {
  const file = openFile(path);
  const { can } = new SqliteDb(file);
  file.exec('begin');
  for (let at = 0; at < count; at++) {
    const row = { ...contactAt(workspace, at), seq: at + 1 };
    const names = Object.keys(row);
    file
      .prepare(`insert into contacts (${names.join()}) values (${names.map(() => '?').join()})`)
      .run(...Object.values(row));
    can.indexText('contacts', { workspace, seq: row.seq }, undefined, row);
  }
  for (const statement of BESIDE('json_each(tags)')) file.prepare(statement).run(workspace);
  file.exec('commit');
  file.close();
};

const fillPostgres = async ({ query }: TestDatabase, workspace: number, count: number) => {
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) =>
      contactAt(workspace, from + at),
    );
    const names = Object.keys(rows[0] as ContactRow).join();
    await query(
      `insert into contacts (${names}) select ${names} from json_populate_recordset(null::contacts, ?)`,
      JSON.stringify(rows),
    );
  }
  for (const statement of BESIDE('jsonb_array_elements_text(tags::jsonb) as each (value)')) {
    await query(statement, workspace);
  }
};

/** Lays many contacts into an empty workspace, as creating them one by one would, in a few seconds. */
export const fillContacts = (database: TestDatabase, workspace: number, count: number): Promise<void> =>
  database.database.engine === 'sqlite'
    ? fillSqlite(database.database.path, workspace, count)
    : fillPostgres(database, workspace, count);

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
