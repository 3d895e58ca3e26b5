import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFile } from '../../src/db/sqlite/connection.ts';
import { indexMerges, startIdleMerges } from '../../src/db/sqlite/search/merges.ts';
import { createContact } from '../../src/features/contacts/contact.service.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

describe('The merges of the search index on SQLite', () => {
  it('Commits that add to the index also merge its segments', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const storage = await storageFor(test, database);
    const { principal } = await makeWorkspace(storage);
    const COMMITS = 200;
    for (let count = 0; count < COMMITS; count++) {
      await storage.run(createContact, principal, { source: 'api', fields: { phone_number: newPhone() } });
    }
    const [found] = await database.query('select count(distinct segid) as count from contacts_search_idx');
    // Each commit adds a segment, and eight segments of a level are merged for every 64 pages.
    assert.ok(Number(found?.count) < COMMITS / 3, `${found?.count} segments after ${COMMITS} commits`);
  });

  it('The writer merges when it has been idle', async (test) => {
    const file = await fileFor(test);
    let steps = 0;
    const merges = startIdleMerges(file, { idleMs: 50, onStep: () => steps++ });
    test.after(merges.close);
    for (let segment = 0; segment < 12; segment++) addSegment(file, 20);
    merges.answered();
    for (let tries = 0; segmentsOf(file).size >= 8 && tries < 200; tries++) await sleep(25);
    assert.ok(segmentsOf(file).size < 8);
    assert.equal(countMatches(file), 12 * 20);
    assert.ok(steps > 0);
  });

  it('Requests that change nothing do not postpone the merges', async (test) => {
    const file = await fileFor(test);
    for (let segment = 0; segment < 12; segment++) addSegment(file, 20);
    const merges = startIdleMerges(file, { idleMs: 200, onStep: () => {} });
    test.after(merges.close);
    const probes = setInterval(merges.answered, 50);
    test.after(() => clearInterval(probes));
    for (let tries = 0; segmentsOf(file).size >= 8 && tries < 200; tries++) await sleep(25);
    assert.ok(segmentsOf(file).size < 8);
  });

  it('A full disk rolls back an idle merge, and the next write tries again', async (test) => {
    const file = await fileFor(test);
    const { step } = indexMerges(file);
    for (let segment = 0; segment < 8; segment++) addSegment(file, 400);
    const { size } = segmentsOf(file);
    file.exec(`pragma max_page_count = ${file.prepare('pragma page_count').get()?.page_count}`);
    assert.equal(step(), false);
    assert.equal(file.isTransaction, false);
    assert.equal(segmentsOf(file).size, size);
    file.exec('pragma max_page_count = 1000000');
    while (step());
    assert.equal(segmentsOf(file).size, 1);
  });

  it('An idle merge waits for another process that writes', async (test) => {
    const file = await fileFor(test);
    file.exec('pragma busy_timeout = 0');
    const { step } = indexMerges(file);
    for (let segment = 0; segment < 8; segment++) addSegment(file, 1);
    const other = openFile(String(file.location()));
    other.exec('begin immediate');
    assert.equal(step(), true);
    assert.equal(segmentsOf(file).size, 8);
    other.exec('commit');
    other.close();
    step();
    assert.equal(segmentsOf(file).size, 1);
  });
});

const fileFor = async (test: TestContext): Promise<DatabaseSync> => {
  const database = await databaseFor(test, 'sqlite');
  await (await storageFor(test, database)).close();
  const { path } = database.database as { path: string };
  const file = openFile(path);
  test.after(() => file.close());
  return file;
};

let entries = 0;
/** Commits some entries, which become one segment. */
const addSegment = (file: DatabaseSync, count: number) => {
  const add = file.prepare('insert into contacts_search (rowid, text, phone) values (?, ?, ?)');
  file.exec('begin immediate');
  for (let entry = 0; entry < count; entry++) {
    entries++;
    add.run(entries, `common ${Math.sin(entries)}`, `${entries}`);
  }
  file.exec('commit');
};

const segmentsOf = (file: DatabaseSync): Set<unknown> =>
  new Set(
    file
      .prepare('select segid from contacts_search_idx')
      .all()
      .map(({ segid }) => segid),
  );

const countMatches = (file: DatabaseSync): number => {
  const count = `select count(*) as count from contacts_search where contacts_search match '"common"'`;
  return Number(file.prepare(count).get()?.count);
};
