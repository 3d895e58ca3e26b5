import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as connection from '../../src/db/sqlite/connection.ts';
import { engines, type TestDatabase } from '../kit/database/engines.ts';

const pathOf = ({ database }: TestDatabase) => (database.engine === 'sqlite' ? database.path : '');

describe('SQLite database file', () => {
  let database: TestDatabase;
  before(async () => {
    database = await engines.sqlite();
  });
  after(() => database?.drop());

  const settings = (readOnly: boolean) => {
    const file = connection.openFile(pathOf(database), { readOnly });
    const names = [
      'journal_mode',
      'synchronous',
      'foreign_keys',
      'secure_delete',
      'busy_timeout',
      'query_only',
    ];
    const values = names.map((name) => [name, Object.values(file.prepare(`pragma ${name}`).get() ?? {})[0]]);
    file.close();
    return Object.fromEntries(values);
  };

  it('The write connection syncs each commit to disk and overwrites deleted data', () => {
    const { query_only: _, ...held } = settings(false);
    assert.deepEqual(held, {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      secure_delete: 1,
      busy_timeout: 5_000,
    });
  });

  it('The write connection enforces foreign keys: a record without a workspace is rejected', async () => {
    const file = connection.openFile(pathOf(database));
    file.exec('create table parents (id int primary key) strict');
    file.exec('create table children (parent int not null references parents (id)) strict');
    assert.throws(() => file.exec('insert into children (parent) values (1)'), /FOREIGN KEY/);
    file.exec('drop table children; drop table parents');
    file.close();
  });

  it('The read connection waits for a writer and cannot write', () => {
    const { journal_mode, busy_timeout } = settings(true);
    assert.deepEqual([journal_mode, busy_timeout], ['wal', 5_000]);
    const file = connection.openFile(pathOf(database), { readOnly: true });
    assert.throws(() => file.exec('create table anything (id int) strict'), /readonly/);
    file.close();
  });

  it('SQLite older than 3.51.3 is rejected with a message that says what to do', () => {
    const { assertVersion } = connection as { assertVersion?: (version: string) => void };
    assert.ok(assertVersion, 'assertVersion is exported');
    for (const old of ['3.51.2', '3.50.9', '3.9.9', '2.60.0', '3.51']) {
      assert.throws(() => assertVersion(old), {
        message: `Roster needs SQLite 3.51.3 or newer; this version of Node has ${old}. Use Node 26.`,
      });
    }
    for (const right of ['3.51.3', '3.51.10', '3.52.0', '3.100.0', '4.0.0']) assertVersion(right);
  });
});
