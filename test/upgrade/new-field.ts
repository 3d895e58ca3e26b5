import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import type * as opening from '../../src/db/open/open.ts';
import { createContact, getContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { withMember } from '../../src/lib/json.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';
import { copyWithMigration, removeFolder } from './next-version.ts';

const WRITTEN = 2_000;
const MAX_WAL_BYTES = 512 * 1024;

/** Inserts copies of the contacts until there are `rows`. Their search entries and counters are missing. */
const copyContacts = async ({ query }: TestDatabase, rows: number): Promise<void> => {
  const [first] = await query('select * from contacts limit 1');
  const columns = Object.keys(first as object);
  for (let count = WRITTEN; count < rows; count *= 2) {
    const own: Record<string, string> = {
      // Below those that PostgreSQL's sequence hands out.
      seq: `-(abs(seq) + ${count})`,
      id: `'copy-' || (abs(seq) + ${count})`,
      phone_identity: 'null',
    };
    const values = columns.map((name) => own[name] ?? name);
    await query(
      `insert into contacts (${columns}) select ${values} from contacts order by seq limit ${Math.min(count, rows - count)}`,
    );
  }
};

/** What a rewrite of the table would change. */
const tableState = async ({ query, database }: TestDatabase) =>
  database.engine === 'postgres'
    ? (
        await query(`select pg_relation_filenode('contacts') as file, pg_relation_size('contacts') as size`)
      )[0]
    : undefined;

/** A list as a version with the new field would select it: the rule of `withMember` in SQL. */
const LIST = `select substr(wire, 1, length(wire) - 1) || ',"later_note":' || coalesce(later_note, 'null') || '}' as json
  from contacts where workspace_id = ? order by seq desc limit 3`;

/** The next version adds a field to contacts while this version serves. Returns how long its start takes. */
export const addField = async (
  test: TestContext,
  engine: 'sqlite' | 'postgres',
  rows: number,
): Promise<number> => {
  const folder = copyWithMigration(['alter table contacts add column later_note text']);
  test.after(() => removeFolder(folder));
  const load = (path: string) => import(pathToFileURL(join(folder, 'src', path)).href);
  const { openStorage }: typeof opening = await load('db/open/open.ts');
  const next: typeof import('../../src/features/contacts/contact.service.ts') = await load(
    'features/contacts/contact.service.ts',
  );
  const database = await databaseFor(test, engine);
  const earlier = await storageFor(test, database);
  const { principal } = await makeWorkspace(earlier);
  await fillContacts(database, principal.workspace, WRITTEN);
  await copyContacts(database, rows);
  // The last connection to close empties the write-ahead log.
  await earlier.close();
  if (engine === 'sqlite') await database.query('pragma wal_checkpoint(truncate)');
  const older = await storageFor(test, database);
  const before = await tableState(database);

  const began = performance.now();
  const newer = await openStorage(database.database, { onFault: () => {} });
  const startMs = performance.now() - began;
  test.after(newer.close);
  assert.deepEqual(await tableState(database), before);
  if (database.database.engine === 'sqlite') {
    const { size } = statSync(`${database.database.path}-wal`);
    assert.ok(size < MAX_WAL_BYTES, `the start wrote ${size} bytes`);
  }

  const contact = (first_name: string) => ({
    source: 'api' as const,
    fields: { phone_number: newPhone(), first_name },
  });
  const idOf = ({ json }: { json: string }) => String(JSON.parse(json).id);
  const byOlder = idOf(await older.run(createContact, principal, contact('Older')));
  const byNewer = idOf(await newer.run(next.createContact, principal, contact('Newer')));
  await database.query(
    `update contacts set later_note = '"kept"' where workspace_id = ? and id = ?`,
    principal.workspace,
    byNewer,
  );
  await older.run(updateContact, principal, { id: byNewer, fields: { company: 'Acme' } });
  await newer.run(next.updateContact, principal, { id: byOlder, fields: { company: 'Acme' } });

  for (const [id, note] of [
    [byOlder, 'null'],
    [byNewer, '"kept"'],
  ] as const) {
    const { json } = await older.run(getContact, principal, { id });
    assert.equal((await newer.run(next.getContact, principal, { id })).json, json, 'not a byte differs');
    const [row] = await database.query('select later_note from contacts where id = ?', id);
    const extended = JSON.parse(withMember(json, 'later_note', String(row?.later_note ?? 'null')));
    assert.deepEqual(extended, { ...JSON.parse(json), later_note: JSON.parse(note) });
    assert.equal(extended.company, 'Acme');
  }
  const listed = await database.query(LIST, principal.workspace);
  const notes = listed.map(({ json }) => JSON.parse(String(json))).map(({ later_note }) => later_note);
  assert.deepEqual(notes, ['kept', null, null]);
  return startMs;
};
