import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openStorage } from '../../src/db/open/open.ts';
import { type Outcome, write } from '../../src/db/operation.ts';
import { openFile, SqliteDb } from '../../src/db/sqlite/connection.ts';
import { type Request, Writer } from '../../src/db/sqlite/writer.ts';
import {
  createContact,
  deleteContact,
  getContact,
  updateContact,
} from '../../src/features/contacts/contact.service.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { ApiError } from '../../src/lib/errors.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';

describe('SQLite writer', () => {
  let database: TestDatabase;
  let path: string;
  let principal: Principal;
  let file: DatabaseSync;
  let secondConnection: DatabaseSync;
  let writer: Writer;
  beforeEach(async () => {
    database = await engines.sqlite();
    path = database.database.engine === 'sqlite' ? database.database.path : '';
    const storage = await openTestStorage(database);
    principal = (await makeWorkspace(storage)).principal;
    await storage.close();
    file = openFile(path);
    secondConnection = openFile(path, { readOnly: true });
    writer = new Writer(file);
  });
  afterEach(async () => {
    for (const each of [file, secondConnection]) if (each.isOpen) each.close();
    await database.drop();
  });

  const creating = (phone_number: string, tags: string[] = []): Request => ({
    operation: createContact,
    principal,
    input: { source: 'api', fields: { phone_number, tags } },
  });
  /** The data version of another connection changes once for each commit of others. */
  const version = () => Number(secondConnection.prepare('pragma data_version').get()?.data_version);
  const phones = () =>
    secondConnection
      .prepare('select phone_number from contacts order by seq')
      .all()
      .map((row) => row.phone_number);
  const counters = () =>
    secondConnection
      .prepare("select list, count from tallies where list not glob 'contacts[@#]*' order by list")
      .all()
      .map((row) => ({ ...row }));
  const done = (outcome: Outcome | undefined) => {
    assert.ok(outcome && 'value' in outcome, JSON.stringify(outcome));
    return outcome.value as { id: string };
  };
  const errorOf = (outcome: Outcome | undefined) => {
    assert.ok(outcome && 'error' in outcome, JSON.stringify(outcome));
    return outcome.error as ApiError;
  };

  it('A batch reports progress after each request and while it waits for a lock, so that a long one does not seem to hang', async (test) => {
    let progress = 0;
    const reporting = new Writer(file, { busyTimeout: 20, onProgress: () => progress++ });
    const mixed = Array.from({ length: 10 }, () => [
      creating(newPhone()),
      { ...creating(''), operation: deleteContact, input: { id: 'c_missing' } },
    ]);
    await reporting.run(mixed.flat());
    assert.ok(progress >= 20, `${progress} reports`);
    const other = openFile(path);
    test.after(() => other.close());
    other.exec('begin immediate');
    progress = 0;
    errorOf((await reporting.run([creating(newPhone())]))[0]);
    assert.ok(progress > 0, `${progress} reports`);
  });

  it('Requests that arrive together share one commit', async () => {
    const numbers = Array.from({ length: 10 }, () => newPhone());
    const before = version();
    const commits = countCommits(path);
    const outcomes = await writer.run(numbers.map((number) => creating(number)));
    assert.equal(outcomes.filter((outcome) => 'value' in outcome).length, 10);
    assert.notEqual(version(), before);
    assert.equal(commits(), 1);
    assert.deepEqual(phones(), numbers);
    await writer.run([creating(newPhone())]);
    await writer.run([creating(newPhone())]);
    assert.equal(commits(), 3);
  });

  it('Concurrent requests from another thread share one or two commits', async (test) => {
    const thread = new URL('../../src/wiring/sqlite-thread.ts', import.meta.url);
    const storage = await openStorage(database.database, { thread, onFault: () => {} });
    test.after(() => storage.close());
    const commits = countCommits(path);
    const made = await Promise.all(
      Array.from({ length: 60 }, () =>
        storage.run(createContact, principal, { source: 'api', fields: { phone_number: newPhone() } }),
      ),
    );
    assert.equal(new Set(made.map(({ id }) => id)).size, 60);
    const count = commits();
    assert.ok(count === 1 || count === 2, `${count} commits`);
  });

  it('A failed request is rolled back alone, and the others keep all their writes', async () => {
    const [first, second, third] = [newPhone(), newPhone(), newPhone()];
    const failing = write('failing', async (db, principal, input) => {
      await createContact(db, principal, input);
      throw new Error('after its work was done');
    });
    const outcomes = await writer.run([
      creating(first, ['kept']),
      { ...creating(second, ['kept', 'lost']), operation: failing },
      creating(first, ['lost']),
      creating(third, ['kept']),
    ]);
    assert.equal(errorOf(outcomes[1]).message, 'after its work was done');
    const conflict = errorOf(outcomes[2]);
    assert.ok(conflict instanceof ApiError);
    assert.equal(conflict.code, 'CONFLICT');
    assert.deepEqual(conflict.details, { existing_contact_id: done(outcomes[0]).id });
    done(outcomes[3]);
    assert.deepEqual(phones(), [first, third]);
    assert.deepEqual(counters(), [
      { list: 'contacts', count: 2 },
      { list: 'contacts:kept', count: 2 },
    ]);
    const localDb = new SqliteDb(secondConnection);
    assert.equal((await listContacts(localDb, principal, { search: second })).total, 0);
    assert.equal((await listContacts(localDb, principal, { search: third })).total, 1);
    assert.equal((await listContacts(localDb, principal, { tag: 'lost' })).total, 0);
  });

  it('A request sees the writes of earlier requests in the same commit', async () => {
    const phone_number = newPhone();
    const made = done((await writer.run([creating(phone_number)]))[0]);
    const outcomes = await writer.run([
      { operation: updateContact, principal, input: { id: made.id, fields: { notes: 'one' } } },
      { operation: deleteContact, principal, input: { id: made.id } },
      { operation: updateContact, principal, input: { id: made.id, fields: { notes: 'two' } } },
      creating(phone_number),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => 'value' in outcome),
      [true, true, false, true],
    );
    assert.equal(errorOf(outcomes[2]).code, 'NOT_FOUND');
    assert.notEqual(done(outcomes[3]).id, made.id);
  });

  it('No reader sees a write before the commit', async () => {
    const phone_number = newPhone();
    const seen: unknown[] = [];
    const readAndWrite = write('readAndWrite', async (db, principal, input) => {
      const made = await createContact(db, principal, input);
      seen.push(phones(), counters());
      const read = async () => getContact(new SqliteDb(secondConnection), principal, made);
      await assert.rejects(read, { code: 'NOT_FOUND' });
      return made;
    });
    const [outcome] = await writer.run([{ ...creating(phone_number), operation: readAndWrite }]);
    done(outcome);
    assert.deepEqual(seen, [[], []]);
    assert.deepEqual(phones(), [phone_number]);
  });

  it('If the database cannot be written, every request fails as unavailable, and later ones work', async () => {
    const other = openFile(path);
    other.exec('begin immediate');
    const impatientWriter = new Writer(file, { busyTimeout: 20 });
    for (const outcome of await impatientWriter.run([creating(newPhone()), creating(newPhone())])) {
      const error = errorOf(outcome);
      assert.equal(error.code, 'UNAVAILABLE');
      assert.equal(error.headers['Retry-After'], '1');
      assert.match(String(error.cause), /locked/);
    }
    other.exec('rollback');
    other.close();
    done((await writer.run([creating(newPhone())]))[0]);
    assert.equal(phones().length, 1);
  });

  it('A commit that runs out of disk space stores nothing, and all its requests fail', async () => {
    const pages = Number(file.prepare('pragma page_count').get()?.page_count);
    file.exec(`pragma max_page_count = ${pages + 2}`);
    const notes = 'x'.repeat(2_000);
    const large = Array.from({ length: 20 }, () => ({
      ...creating(newPhone()),
      input: { source: 'api', fields: { phone_number: newPhone(), notes } },
    }));
    const outcomes = await writer.run([creating(newPhone()), ...large]);
    for (const outcome of outcomes) assert.equal(errorOf(outcome).code, 'UNAVAILABLE');
    assert.deepEqual(phones(), []);
    assert.deepEqual(counters(), []);
    file.exec('pragma max_page_count = 1000000');
    done((await writer.run([creating(newPhone())]))[0]);
  });

  it('The writer returns results in the order of the requests, and none for an empty batch', async () => {
    assert.deepEqual(await writer.run([]), []);
    const echo = write('echo', (_, __, input) => input);
    const outcomes = await writer.run([1, 2, 3].map((input) => ({ operation: echo, principal, input })));
    assert.deepEqual(outcomes, [{ value: 1 }, { value: 2 }, { value: 3 }]);
  });
});

/** Counts new commits in the write-ahead log: the last frame of each contains the size of the database. */
const countCommits = (path: string) => {
  const HEADER = 32;
  const FRAME = 24 + 4_096;
  const log = `${path}-wal`;
  const sizeOf = () => statSync(log, { throwIfNoEntry: false })?.size ?? HEADER;
  const start = Math.max(sizeOf(), HEADER);
  return () => {
    const bytes = readFileSync(log);
    let commits = 0;
    for (let at = start; at + FRAME <= bytes.length; at += FRAME)
      if (bytes.readUInt32BE(at + 4) > 0) commits++;
    return commits;
  };
};
