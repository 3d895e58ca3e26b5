import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../src/db/db.ts';
import { type Outcome, read, write } from '../../src/db/operation.ts';
import { openFile } from '../../src/db/sqlite/connection.ts';
import { type Request, Writer } from '../../src/db/sqlite/writer.ts';
import { createContact, deleteContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import type { Page } from '../../src/lib/page.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

type Fields = { first_name?: string; tags?: string[] };

const create = write('create', (db: Db, principal: Principal, fields: Fields) =>
  createContact(db, principal, { source: 'api', fields: { phone_number: newPhone(), ...fields } }),
);

/** The number of contacts, of those with the tag, and of those that a search finds. */
const readCounts = read(
  'readCounts',
  async (db: Db, principal: Principal, { tag, search }: { tag: string; search: string }) => {
    const totals: number[] = [];
    for (const query of [{}, { tag }, { search }]) {
      const page: Page = await listContacts(db, principal, query);
      assert.equal((JSON.parse(`[${page.json}]`) as unknown[]).length, page.total);
      totals.push(page.total);
    }
    return totals;
  },
);

const assertCountsMatch = async (database: TestDatabase) =>
  assert.deepEqual(await storedCounts(database), await actualCounts(database));

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Deferred writes of a transaction on ${engine}`, () => {
    it('A deferred write is visible to later statements, and to all readers after the commit', async (test) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal } = await makeWorkspace(storage);
      const what = { tag: 'new', search: 'grace' };
      const seen: number[][] = [];
      const operation = write('operation', async (db) => {
        const { id } = await create(db, principal, { first_name: 'Grace', tags: ['new'] });
        seen.push(await readCounts(db, principal, what));
        await create(db, principal, { first_name: 'Ada', tags: ['new'] });
        await updateContact(db, principal, { id, fields: { first_name: 'Ida', tags: [] } });
        seen.push(await readCounts(db, principal, what));
        await deleteContact(db, principal, { id });
        seen.push(await readCounts(db, principal, what));
      });
      await storage.run(operation, principal, null);
      assert.deepEqual(seen, [
        [1, 1, 1],
        [2, 1, 0],
        [1, 1, 0],
      ]);
      assert.deepEqual(await storage.run(readCounts, principal, what), [1, 1, 0]);
      assert.deepEqual(await storage.run(readCounts, principal, { ...what, search: 'ada' }), [1, 1, 1]);
      await assertCountsMatch(database);
    });

    it('A list that is emptied again leaves no counter row, in the same or a later transaction', async (test) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal } = await makeWorkspace(storage);
      const passing = write('passing', async (db) => {
        const { id } = await create(db, principal, { tags: ['brief'] });
        await readCounts(db, principal, { tag: 'brief', search: '' });
        await deleteContact(db, principal, { id });
        return create(db, principal, { tags: ['long'] });
      });
      const { id } = await storage.run(passing, principal, null);
      await storage.run(updateContact, principal, { id, fields: { tags: ['other'] } });
      const rows = await database.query(`select list from tallies where list like 'contacts:%'`);
      assert.deepEqual(
        rows.map(({ list }) => list),
        ['contacts:other'],
      );
      assert.equal((await database.query('select tag from contact_tags')).length, 1);
      await assertCountsMatch(database);
    });
  });
}

describe('Deferred writes of a shared commit', () => {
  const open = async (test: Parameters<typeof databaseFor>[0]) => {
    const database = await databaseFor(test, 'sqlite');
    const storage = await storageFor(test, database);
    const principals = [(await makeWorkspace(storage)).principal, (await makeWorkspace(storage)).principal];
    const file = openFile(database.database.engine === 'sqlite' ? database.database.path : '');
    test.after(() => file.close());
    const [principal, other] = principals as [Principal, Principal];
    return { database, storage, who: principal, other, writer: new Writer(file) };
  };
  const done = (outcome: Outcome | undefined) => {
    assert.ok(outcome && 'value' in outcome, JSON.stringify(outcome));
    return outcome.value as { id: string };
  };
  const creating = (principal: Principal, fields: Fields): Request => ({
    operation: create,
    principal,
    input: fields,
  });

  it('Deferred writes are visible to later requests of the commit in every workspace', async (test) => {
    const { database, who, other, writer } = await open(test);
    const what = { tag: 't', search: 'grace' };
    const readingRequest = (principal: Principal): Request => ({
      operation: readCounts,
      principal,
      input: what,
    });
    const outcomes = await writer.run([
      creating(other, { first_name: 'Grace', tags: ['t'] }),
      creating(who, { first_name: 'Grace', tags: ['t'] }),
      creating(other, { first_name: 'Grace' }),
      readingRequest(who),
      creating(who, { first_name: 'Ada', tags: ['t'] }),
      readingRequest(who),
      readingRequest(other),
    ]);
    assert.deepEqual(
      [outcomes[3], outcomes[5], outcomes[6]],
      [
        [1, 1, 1],
        [2, 2, 1],
        [2, 1, 2],
      ].map((value) => ({ value })),
    );
    await assertCountsMatch(database);
  });

  it('A failed request loses its deferred writes, and the others in the commit keep theirs', async (test) => {
    const { database, storage, who, writer } = await open(test);
    const what = { tag: 't', search: 'grace' };
    const seen: unknown[] = [];
    const failing = write('failing', async (db) => {
      await create(db, who, { first_name: 'Grace', tags: ['t', 'lost'] });
      seen.push(await readCounts(db, who, what));
      await create(db, who, { first_name: 'Grace', tags: ['lost'] });
      throw new Error('after all');
    });
    const outcomes = await writer.run([
      creating(who, { first_name: 'Grace', tags: ['t'] }),
      { operation: failing, principal: who, input: null },
      creating(who, { first_name: 'Ada', tags: ['t'] }),
      { operation: failing, principal: who, input: null },
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => 'value' in outcome),
      [true, false, true, false],
    );
    assert.deepEqual(seen, [
      [2, 2, 2],
      [3, 3, 2],
    ]);
    assert.deepEqual(await storage.run(readCounts, who, what), [2, 2, 1]);
    assert.equal((await storage.run(listContacts, who, { tag: 'lost' })).total, 0);
    await assertCountsMatch(database);
  });

  it('A contact has one deferred index entry, however often it or its position changes', async (test) => {
    const { database, storage, who, writer } = await open(test);
    const created = done((await writer.run([creating(who, { first_name: 'Grace' })]))[0]);
    const passing = write('passing', async (db) => {
      const { id } = await create(db, who, { first_name: 'Edsger', tags: ['t'] });
      await updateContact(db, who, { id, fields: { first_name: 'Barbara' } });
      await deleteContact(db, who, { id });
      return create(db, who, { first_name: 'Alan', tags: ['t'] });
    });
    const naming = (first_name: string): Request => ({
      operation: updateContact,
      principal: who,
      input: { id: created.id, fields: { first_name } },
    });
    await writer.run([
      { operation: passing, principal: who, input: null },
      naming('Donald'),
      { operation: passing, principal: who, input: null },
      naming('Ada'),
    ]);
    await database.query('create virtual table entries using fts5vocab(contacts_search, instance)');
    const entries = async (term: string) =>
      (await database.query('select doc from entries where term = ?', term)).length;
    assert.deepEqual(
      await Promise.all(['gra', 'eds', 'bar', 'don', 'ada', 'ala'].map(entries)),
      [0, 0, 0, 0, 1, 2],
    );
    assert.deepEqual(await storage.run(readCounts, who, { tag: 't', search: 'alan' }), [3, 2, 2]);
    await assertCountsMatch(database);
  });

  it('A failed commit discards its deferred writes', async (test) => {
    const { database, storage, who, writer } = await open(test);
    const breaking = write('breaking', () => {
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    });
    const lost = await writer.run([
      creating(who, { tags: ['lost'] }),
      { operation: breaking, principal: who, input: null },
    ]);
    for (const outcome of lost) assert.ok('error' in outcome);
    done((await writer.run([creating(who, { first_name: 'Ada', tags: ['t'] })]))[0]);
    assert.deepEqual(await storage.run(readCounts, who, { tag: 't', search: 'ada' }), [1, 1, 1]);
    assert.equal((await storage.run(listContacts, who, { tag: 'lost' })).total, 0);
    await assertCountsMatch(database);
  });
});
