import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DatabaseSetupError } from '../database.ts';
import { isDamage } from './errors.ts';
import { lockExclusively } from './exclusive-lock.ts';

describe('Exclusive lock of a database file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roster-lock-'));
    path = join(folder, 'roster.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const assertRejected = (words: RegExp) => {
    const names = readdirSync(folder);
    assert.throws(
      () => lockExclusively(path),
      (error) => error instanceof DatabaseSetupError && words.test(error.message),
    );
    assert.deepEqual(readdirSync(folder), names);
  };

  it('The exclusive lock is granted for a file that is not a database', () => {
    writeFileSync(path, 'what a failing disk has left'.repeat(500));
    const lock = lockExclusively(path);
    assert.equal(lock.hasData, true);
    lock.linkAs(join(folder, 'preserved'));
    lock.release();
    assert.deepEqual(readdirSync(folder).sort(), ['preserved', 'roster.db']);
  });

  it('The exclusive lock is not granted if the database or its WAL cannot be opened', () => {
    const db = new DatabaseSync(path);
    db.exec('pragma journal_mode = wal; create table workspaces (id int)');
    db.close();
    mkdirSync(`${path}-wal`);
    assertRejected(/cannot be locked: .*unable to open.* Nothing was changed\./);
    rmSync(path);
    mkdirSync(path);
    assertRejected(/cannot be locked: .*unable to open.* Nothing was changed\./);
  });

  it('Only SQLITE_CORRUPT and SQLITE_NOTADB count as damage', () => {
    const fault = (errcode: number) => Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode });
    const codes = [1, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26, 11 | (1 << 8), 8 | (4 << 8), 10 | (2 << 8)];
    assert.deepEqual(
      codes.filter((code) => isDamage(fault(code))),
      [11, 26, 11 | (1 << 8)],
    );
  });
});
