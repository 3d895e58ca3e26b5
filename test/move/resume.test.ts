import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStorage } from '../../src/db/open/open.ts';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { emptyEngines, engines, type TestDatabase } from '../kit/database/engines.ts';
import { differences, dumpTables } from '../kit/database/table-dump.ts';
import { startProxy } from '../kit/faults/tcp-proxy.ts';
import { fillLargeDatabase } from '../kit/fixtures/large-database.ts';
import { interruptMove, move, untilRows } from '../kit/process/move.ts';

/** Two batches. */
const CONTACTS = 3_000;

const UNFINISHED =
  /^Error: The database is the target of a move that has not finished\. Run the same "roster move" again/;

const assertUnusable = async ({ database }: TestDatabase) => {
  await assert.rejects(openStorage(database, { onFault: () => {} }), UNFINISHED);
  await assert.rejects(openSnapshot(database), UNFINISHED);
};

const readRecord = ({ query }: TestDatabase) =>
  query(`select value from roster_move where name = 'workspaces'`);

/** Copies a table twice, as if the source had changed in a way that its marker does not show. */
const assertContradiction = async (from: TestDatabase, to: TestDatabase) => {
  const [record] = await readRecord(to);
  await to.query(`delete from roster_move where name = 'workspaces'`);
  const { status, stderr } = await move(from, to);
  assert.equal(status, 1);
  assert.match(stderr, /^A row contradicts the rows that the target already has, .* with --restart to copy/m);
  assert.doesNotMatch(stderr, /-[\d,]+ per second/, 'rows of an earlier process do not count as negative');
  await to.query(`insert into roster_move (name, value) values ('workspaces', ?)`, String(record?.value));
};

/** Resolves when a move has written a megabyte to a SQLite file. */
const untilWritten = async ({ url }: TestDatabase) => {
  const log = `${url.replace('sqlite:', '')}-wal`;
  while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 1_000_000) await pause(5);
};

describe('Interrupted move', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let file: TestDatabase;
  before(async () => {
    [source, target, file] = await Promise.all([
      engines.sqlite(),
      emptyEngines.postgres(),
      emptyEngines.sqlite(),
    ]);
    await fillLargeDatabase(source, CONTACTS);
  });
  after(() => Promise.all([source, target, file].map((each) => each?.drop())));

  it('A killed move leaves a target that the service refuses, and does not continue from a changed source', async () => {
    const isDue = () => untilRows(target, 'contact_tags', 1);
    assert.ok((await interruptMove(source, target, { signal: 'SIGKILL', isDue })).interrupted);
    await assertUnusable(target);
    const [contact] = await source.query('select id, updated_at from contacts where seq = 1');
    const update = (at: string) =>
      source.query('update contacts set updated_at = ? where id = ?', at, String(contact?.id));
    await update('2099-01-02T03:04:05.678Z');
    const { status, stderr } = await move(source, target);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /the source has changed since it began\. Add --restart to copy everything again\.$/m,
    );
    await update(String(contact?.updated_at));
  });

  it('Ctrl+C says how to continue', async () => {
    const isDue = () => untilRows(target, 'contacts', 1);
    const { interrupted, stderr } = await interruptMove(source, target, { signal: 'SIGINT', isDue });
    assert.ok(interrupted);
    assert.match(stderr, /^The move is not finished\. Run the same command again to continue\.\n$/m);
  });

  it('A lost connection ends the command with a sentence that says how to continue', async () => {
    const proxy = await startProxy(target.url);
    const [copied] = await target.query('select count(*)::int as rows from contacts');
    const lost = move(source, { url: proxy.url });
    await untilRows(target, 'contacts', Number(copied?.rows) + 1);
    proxy.close();
    const { status, stderr } = await lost;
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^PostgreSQL cannot be reached at .*\. Check --to\. The move is not finished\. Run the same command again to continue\.\n$/m,
    );
  });

  it('A move that finds a difference fails, and copies everything again with --restart', async () => {
    await target.query(`update contacts set notes = 'changed' where seq = (select min(seq) from contacts)`);
    const different = await move(source, target);
    assert.equal(different.status, 1);
    assert.match(different.stderr, /^The copy differs from the source in contacts\./m);
    await assertUnusable(target);
    const restarted = await move(source, target, '--restart');
    assert.equal(restarted.status, 0, restarted.stderr);
    await (await openStorage(target.database, { onFault: () => {} })).close();
  });

  it('A lost source ends the command with a sentence about the source', async () => {
    const proxy = await startProxy(target.url);
    const lost = move({ ...target, url: proxy.url }, file);
    await untilWritten(file);
    proxy.close();
    const { status, stderr } = await lost;
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^PostgreSQL cannot be reached at .*\. Check DATABASE_URL\. The move is not finished\. Run the same command again to continue\.\n$/m,
    );
  });

  it('A killed move to SQLite continues and copies every row once', async () => {
    const isDue = () => untilWritten(file);
    assert.ok((await interruptMove(target, file, { signal: 'SIGKILL', isDue })).interrupted);
    await assertUnusable(file);
    await assertContradiction(target, file);
    const finished = await move(target, file);
    assert.equal(finished.status, 0, finished.stderr);
    assert.deepEqual(differences(await dumpTables(source), await dumpTables(file)), []);
  });
});
