import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Pool } from 'pg';
import { compactCounters } from '../../src/db/postgres/counter-compaction.ts';
import { countContacts, getContact, listContactIds } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { onEveryEngine, type TestService } from '../kit/service/test-service.ts';

/** Compacts the counters now, as a service on PostgreSQL does every minute: concurrent deletes do not see each
 *  other's counts. */
const fold = async ({ database }: TestService) => {
  if (database.database.engine !== 'postgres') return;
  const pool = new Pool({ connectionString: database.url });
  await compactCounters(pool);
  await pool.end();
};

onEveryEngine('Contact deletion', (service) => {
  for (const prefix of ['/v1', '/api/v1']) {
    test(`Deleting a contact under ${prefix} returns 200, and every later request returns 404`, async () => {
      const { id } = await makeContact(service);
      const before = await countContacts(service);
      const path = `${prefix}/contacts/${id}`;
      const { status, body } = await service.delete(path);
      assert.equal(status, 200);
      assert.deepEqual(body, { success: true, data: { deleted: true } });
      assertError(await service.get(path), 404, 'NOT_FOUND');
      assertError(await service.patch(path, { first_name: 'Ada' }), 404, 'NOT_FOUND');
      assertError(await service.delete(path), 404, 'NOT_FOUND');
      assert.equal(await countContacts(service), before - 1);
    });
  }

  test('Deleting a contact ignores the request body', async () => {
    const { id } = await makeContact(service);
    const reply = await service.call('DELETE', `/v1/contacts/${id}`, {});
    assert.equal(reply.status, 200, reply.text);
  });

  test('A deleted contact is missing from every list, and the other contacts stay', async () => {
    const kept = await makeContact(service, { first_name: 'Persephone', tags: ['myth'] });
    const gone = await makeContact(service, { first_name: 'Persephone', tags: ['myth', 'gone'] });
    const before = await getContact(service, kept.id);
    assert.equal((await service.delete(`/v1/contacts/${gone.id}`)).status, 200);
    assert.deepEqual(await listContactIds(service, { search: 'persephone' }), [kept.id]);
    assert.deepEqual(await listContactIds(service, { search: 'pe', tag: 'myth' }), [kept.id]);
    assert.deepEqual(await listContactIds(service, { search: gone.phone_number }), []);
    assert.deepEqual(await listContactIds(service, { tag: 'myth' }), [kept.id]);
    assert.deepEqual(await listContactIds(service, { tag: 'gone' }), []);
    assert.equal((await listContactIds(service, {})).includes(gone.id), false);
    assert.deepEqual(await getContact(service, kept.id), before);
  });

  test('Deleting a contact frees its number, and the next contact inherits nothing', async () => {
    const gone = await makeContact(service, { first_name: 'Eurydice', tags: ['shade'] });
    await service.delete(`/v1/contacts/${gone.id}`);
    const next = await makeContact(service, { phone_number: gone.phone_number });
    assert.notEqual(next.id, gone.id);
    assert.equal(next.first_name, null);
    assert.deepEqual(next.tags, []);
    assert.deepEqual(await listContactIds(service, { search: 'eurydice' }), []);
    assert.deepEqual(await listContactIds(service, { tag: 'shade' }), []);
    assert.deepEqual(await listContactIds(service, { search: gone.phone_number }), [next.id]);
    assertError(await service.get(`/v1/contacts/${gone.id}`), 404, 'NOT_FOUND');
  });

  test('Of many concurrent deletes of a contact, exactly one succeeds', async () => {
    const { id } = await makeContact(service, { tags: ['once'] });
    const before = await countContacts(service);
    const replies = await Promise.all(Array.from({ length: 10 }, () => service.delete(`/v1/contacts/${id}`)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(9).fill(404)]);
    assert.equal(await countContacts(service), before - 1);
    assert.equal(await countContacts(service, { tag: 'once' }), 0);
  });

  test('A deleted contact leaves no row behind, whichever connection did the work', async () => {
    const rows = async () => {
      const found = [];
      for (const table of ['contacts', 'contact_tags']) {
        found.push(await service.database.query(`select count(*) as count from ${table}`));
      }
      return [...found, await service.database.query(`select list from tallies where list like '%trace%'`)];
    };
    await makeContact(service);
    const before = await rows();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) => makeContact(service, { tags: [`trace ${at}`, 'trace'] })),
    );
    const [moved, ...others] = made.reverse();
    await service.patch(`/v1/contacts/${moved.id}`, { tags: ['another trace'] });
    await Promise.all(others.map(({ id }) => service.delete(`/v1/contacts/${id}`)));
    await service.delete(`/v1/contacts/${moved.id}`);
    await fold(service);
    assert.deepEqual(await rows(), before);
  });

  test('A deleted contact leaves no trace in the SQLite files', async (t) => {
    const { database } = service.database;
    if (database.engine !== 'sqlite') return t.skip('a server keeps its own files');
    // No random id has a U.
    const secrets = { first_name: 'Zuqvjkw', notes: 'Kwyjibo', tags: ['Vexillology'], company: 'Qwertzuio' };
    const words = [secrets.first_name, secrets.notes, 'Vexillology', secrets.company, 'zuqvjkw', 'zuq'];
    const wordsInFiles = async () => {
      await service.database.query('pragma wal_checkpoint(truncate)');
      const files = [database.path, `${database.path}-wal`].filter((path) => existsSync(path));
      const bytes = Buffer.concat(files.map((path) => readFileSync(path)));
      return words.filter((word) => bytes.includes(word));
    };
    const { id } = await makeContact(service, secrets);
    assert.deepEqual(await wordsInFiles(), words);
    await service.patch(`/v1/contacts/${id}`, { email: 'pfx@example.com' });
    await service.delete(`/v1/contacts/${id}`);
    assert.deepEqual(await wordsInFiles(), []);
  });
});
