import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { applyRetention, listBackups, readBackup, storeBackup } from '../../src/backups/backup-store.ts';
import { requireS3 } from '../../src/backups/config.ts';
import { openStore } from '../../src/backups/open-store.ts';
import { openBucket, partSize } from '../../src/backups/s3-store.ts';
import { readConfig } from '../../src/config/config.ts';
import { BUCKET, type S3Server, startS3 } from '../kit/backups/s3-server.ts';
import { freePort } from '../kit/database/postgres-server.ts';

const MIB = 1_048_576;

async function* chunksOf(content: Uint8Array, size = 100_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

const contentOf = async (chunks: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(chunks));

/** Content whose parts all differ. */
const content = (size: number) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 16)) & 0xff));

describe('Backups in an S3 bucket', () => {
  let server: S3Server;
  before(async () => {
    server = await startS3();
  });
  afterEach(() => {
    server.fault = () => undefined;
    server.requests.length = 0;
  });
  after(() => server.stop());

  const open = (prefix: string, environment: Record<string, string> = {}) =>
    openStore(
      { kind: 's3', bucket: BUCKET, prefix },
      readConfig({ ...server.environment, ...environment }).backup.s3,
    );

  const backupOf = (minute: number) =>
    ({
      created_at: `2026-01-02T03:${String(minute).padStart(2, '0')}:00.000Z`,
      engine: 'sqlite',
      schema: 16,
      encrypted: false,
    }) as const;

  it('An object of several parts is stored and read unchanged, with parts of 16 MiB', async () => {
    const store = await open('large/');
    const bytes = content(33 * MIB + 5);
    const stored = await storeBackup(store, backupOf(1), chunksOf(bytes), { maxBytes: bytes.length });
    assert.equal(stored.name, 'roster-20260102T030100000Z-sqlite-schema16.db');
    assert.equal(stored.bytes, bytes.length);
    const parts = server.requests.filter((each) => each.includes('partNumber=') && each.includes('.db?'));
    assert.equal(parts.length, 3);
    assert.equal(server.largestBody, 16 * MIB);
    assert.deepEqual(await listBackups(store), [stored]);
    assert.ok((await contentOf(readBackup(store, stored.name))).equals(bytes));
  });

  it('Requests are retried after 503 and a lost connection, and a download that breaks off fails', async () => {
    const store = await open('flaky/');
    const bytes = content(3 * MIB);
    const failed = new Set<string>();
    const once = (fault: 'drop' | number) => (request: string) => {
      if (failed.has(request)) return undefined;
      failed.add(request);
      return fault;
    };
    server.fault = once('drop');
    const stored = await storeBackup(store, backupOf(1), chunksOf(bytes), { maxBytes: bytes.length });
    failed.clear();
    server.fault = once(503);
    assert.equal((await listBackups(store)).length, 1);
    server.fault = (request) => (/\.db$/.test(request) ? 'cut' : undefined);
    await assert.rejects(contentOf(readBackup(store, stored.name)), /The download of .* was interrupted\./);
    server.fault = () => undefined;
    assert.ok((await contentOf(readBackup(store, stored.name))).equals(bytes));
  });

  it('An error that follows status 200 is retried', async () => {
    const store = await open('late/');
    const completions = () => server.requests.filter((each) => /^POST .*\.db\?uploadId=/.test(each));
    server.fault = (request) =>
      /^POST .*\?uploadId=/.test(request) && completions().length === 1 ? 200 : undefined;
    const stored = await storeBackup(store, backupOf(1), chunksOf(content(10)), { maxBytes: 10 });
    assert.equal(completions().length, 2);
    assert.deepEqual(await listBackups(store), [stored]);
  });

  it('A failed upload is aborted and leaves nothing to see', async () => {
    const store = await open('aborted/');
    const failing = async function* () {
      yield content(17 * MIB);
      throw new Error('the disk failed');
    };
    await assert.rejects(
      storeBackup(store, backupOf(1), failing(), { maxBytes: 20 * MIB }),
      /the disk failed/,
    );
    assert.ok(server.requests.some((each) => each.startsWith('DELETE ') && each.includes('uploadId=')));
    assert.deepEqual(await store.list(), []);
    server.fault = (request) => (request.includes('partNumber=1') ? 500 : undefined);
    await assert.rejects(
      storeBackup(store, backupOf(2), chunksOf(content(1000)), { maxBytes: 1000 }),
      /answered 500 InternalError/,
    );
    assert.equal(server.requests.filter((each) => each.includes('partNumber=1')).length, 1 + 5);
    server.fault = () => undefined;
    assert.deepEqual(await store.list(), []);
  });

  it('A backup without its manifest is incomplete: it is not listed', async () => {
    const store = await open('incomplete/');
    server.fault = (request) => (request.includes('.json') ? 403 : undefined);
    await assert.rejects(
      storeBackup(store, backupOf(1), chunksOf(content(10)), { maxBytes: 10 }),
      /denied access to the bucket backups \(InternalError\)/,
    );
    server.fault = () => undefined;
    assert.equal((await store.list()).length, 1);
    assert.deepEqual(await listBackups(store), []);
  });

  it('Retention deletes the oldest backups and abandoned parts of them, and no other object', async () => {
    const store = await open('kept/');
    const other = await open('kept/other/');
    for (const each of [store, other])
      for (const minute of [1, 2, 3])
        await storeBackup(each, backupOf(minute), chunksOf(content(10)), { maxBytes: 10 });
    const names = (await listBackups(store)).map(({ name }) => name);
    for (const name of ['notes.txt', 'roster-20260102T030000000Z-sqlite-schema16.db.bak', 'roster-1.db'])
      await store.write(name, chunksOf(content(10)), 10);
    await store.write('roster-20250102T030100000Z-sqlite-schema16.db', chunksOf(content(10)), 10);
    const now = Date.parse('2026-01-02T03:30:00Z');
    const deleted = await applyRetention(
      store,
      { count: 1, days: undefined },
      { now, written: names[1] as string },
    );
    assert.deepEqual(deleted, ['roster-20250102T030100000Z-sqlite-schema16.db', names[2]]);
    assert.deepEqual(
      (await listBackups(store)).map(({ name }) => name),
      names.slice(0, 2),
    );
    assert.equal((await listBackups(other)).length, 3);
    assert.equal((await store.list()).length, 2 * 2 + 3);
  });

  it('Incomplete backups that are older than a day are deleted without limits too', async () => {
    const store = await open('unlimited/');
    for (const minute of [1, 2])
      await storeBackup(store, backupOf(minute), chunksOf(content(10)), { maxBytes: 10 });
    const [incomplete, younger] = ['20260101T020000000Z', '20260101T040000000Z'].map(
      (time) => `roster-${time}-sqlite-schema16.db`,
    ) as [string, string];
    for (const name of [incomplete, younger]) await store.write(name, chunksOf(content(10)), 10);
    const deleted = await applyRetention(
      store,
      { count: undefined, days: undefined },
      { now: Date.parse('2026-01-02T03:30:00Z'), written: '' },
    );
    assert.deepEqual(deleted, [incomplete]);
    assert.equal((await listBackups(store)).length, 2);
  });

  it('A list of several pages is complete', async () => {
    const settings = requireS3(readConfig(server.environment).backup.s3);
    const store = openBucket({ bucket: BUCKET, prefix: 'pages/' }, settings, { pageSize: 3 });
    for (let minute = 0; minute < 5; minute++)
      await storeBackup(store, backupOf(minute), chunksOf(content(10)), { maxBytes: 10 });
    server.requests.length = 0;
    assert.equal((await listBackups(store)).length, 5);
    assert.equal(server.requests.length, 4);
  });

  it('Wrong credentials, a missing bucket and an unreachable store are explained', async () => {
    const wrong = await open('', { AWS_SECRET_ACCESS_KEY: 'wrong' });
    await assert.rejects(
      wrong.list(),
      /denied access to the bucket backups \(SignatureDoesNotMatch\)\. Check AWS_/,
    );
    const { s3 } = readConfig(server.environment).backup;
    const missing = await openStore({ kind: 's3', bucket: 'missing', prefix: '' }, s3);
    await assert.rejects(missing.list(), /The bucket missing does not exist\./);
    await assert.rejects(
      openStore({ kind: 's3', bucket: BUCKET, prefix: '' }, undefined),
      /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    );
    const port = await freePort();
    const unreachable = await open('', { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` });
    await assert.rejects(
      unreachable.list(),
      /The store cannot be reached at 127\.0\.0\.1:\d+: ECONNREFUSED\./,
    );
    const store = await open('');
    await assert.rejects(contentOf(readBackup(store, 'roster-1.db')), /There is no backup roster-1\.db\./);
  });

  it('A changed object is detected when it is read', async () => {
    const store = await open('changed/');
    const { name } = await storeBackup(store, backupOf(1), chunksOf(content(5000)), { maxBytes: 5000 });
    await store.write(name, chunksOf(content(5001)), 5001);
    await assert.rejects(contentOf(readBackup(store, name)), /is damaged: it differs from its manifest/);
  });

  it('Parts grow with the size, so that 10,000 of them are enough', () => {
    assert.equal(partSize(1), 16 * MIB);
    for (const size of [100e9, 1e12, 5e12]) assert.ok(size / partSize(size) < 9_001);
  });
});
