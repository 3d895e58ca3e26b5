import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { backupName, parseBackupName } from './names.ts';
import { describeTarget, parseTarget, splitBackup } from './target.ts';

test('A target is a folder or a prefix of a bucket', () => {
  for (const [text, target] of [
    ['s3://bucket', { kind: 's3', bucket: 'bucket', prefix: '' }],
    ['s3://bucket/', { kind: 's3', bucket: 'bucket', prefix: '' }],
    ['s3://my.bucket/a', { kind: 's3', bucket: 'my.bucket', prefix: 'a/' }],
    ['s3://bucket//a/b c/', { kind: 's3', bucket: 'bucket', prefix: 'a/b c/' }],
    ['/mnt/backups/', { kind: 'folder', path: '/mnt/backups' }],
    ['backups', { kind: 'folder', path: resolve('backups') }],
    ['file:///mnt/my%20backups', { kind: 'folder', path: '/mnt/my backups' }],
  ] as const)
    assert.deepEqual(parseTarget(text), target);
  for (const text of ['', 's3://', 's3://b', 's3:///prefix', 'https://bucket.s3.amazonaws.com', 'ftp://x'])
    assert.equal(parseTarget(text), undefined, text);
});

test('A target can name one backup', () => {
  const name = 'roster-20260102T030405006Z-sqlite-schema16.db.age';
  const bucket = parseTarget(`s3://bucket/prefix/${name}`);
  assert.ok(bucket);
  const split = splitBackup(bucket);
  assert.deepEqual(split, { target: { kind: 's3', bucket: 'bucket', prefix: 'prefix/' }, name });
  assert.equal(describeTarget(split.target), 's3://bucket/prefix/');
  const folder = parseTarget(`/mnt/${name}`);
  assert.ok(folder);
  assert.deepEqual(splitBackup(folder), { target: { kind: 'folder', path: '/mnt' }, name });
  assert.deepEqual(splitBackup({ kind: 'folder', path: '/mnt' }).name, undefined);
});

test('The name of a backup says what it is, and sorts by time', () => {
  const info = {
    created_at: '2026-01-02T03:04:05.006Z',
    engine: 'postgres',
    schema: 7,
    encrypted: true,
  } as const;
  const name = backupName(info);
  assert.equal(name, 'roster-20260102T030405006Z-postgres-schema7.dump.age');
  assert.deepEqual(parseBackupName(name), info);
  assert.ok(name < backupName({ ...info, created_at: '2026-01-02T03:04:05.007Z', schema: 1 }));
  for (const other of [
    'roster-20260102T030405006Z-postgres-schema7.db',
    'roster-20261302T030405006Z-sqlite-schema7.db',
    'roster-20260102T030405006Z-sqlite-schema07.db',
    'roster-20260102T030405006Z-sqlite-schema7.db.age.json',
    'xroster-20260102T030405006Z-sqlite-schema7.db',
  ])
    assert.equal(parseBackupName(other), undefined, other);
});
