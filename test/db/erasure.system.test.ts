import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openFile } from '../../src/db/sqlite/connection.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import {
  canaries,
  charactersOf,
  charactersOfFields,
  findInFiles,
  makeCanaryFields,
} from '../kit/fixtures/canaries.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { mergeApi } from '../kit/fixtures/merges.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import type { TestService } from '../kit/service/test-service.ts';

/** Creates and updates a contact with idempotency keys, and gets a conflict with another key. All three stored
 *  responses contain the contact. The responses to the first two have the values of fields, which are not stored with them. */
const createWithIdempotencyKeys = async (
  service: TestService,
  created: object,
  patched: object,
): Promise<string> => {
  const made = await service.post('/v1/contacts?include=fields', created, withIdempotencyKey('made'));
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const changed = await service.patch(
    `/v1/contacts/${id}?include=fields`,
    patched,
    withIdempotencyKey('changed'),
  );
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(
    [made, changed].map(({ body }) => Object.keys(body.data.fields)),
    [
      ['plan', 'story'],
      ['plan', 'story'],
    ],
  );
  const taken = await service.post('/v1/contacts', patched, withIdempotencyKey('taken'));
  assert.equal(taken.body.error.details.existing_contact_id, id);
  return id;
};

const fillWith = async (service: TestService, count: number) => {
  for (let at = 0; at < count; at++) {
    await makeContact(service, {
      first_name: `Neighbour ${at}`,
      notes: 'n'.repeat(at % 700),
      tags: ['all', `${at % 9}`],
    });
  }
};

/** Writes values, replaces them, archives both fields and erases all values. Returns the texts that are erased, and those that stay. */
const eraseFields = async (service: TestService) => {
  await makeCanaryFields(service);
  const [created, patched] = [canaries(), canaries()];
  await createWithIdempotencyKeys(
    service,
    { phone_number: newPhone(), ...created },
    { phone_number: newPhone(), ...patched },
  );
  const { body } = await service.get('/v1/contacts?limit=1');
  // What a merge keeps for its undo is erased, too.
  const survivor = await makeContact(service, { fields: { plan: '' } });
  await (await mergeApi(service)).merge(survivor.id, [body.data[0].id]);
  const key = await createScopedKey(service.database, 'admin');
  for (const path of ['/v1/fields/plan', '/v1/fields/story'])
    for (const query of ['', '?erase=true'])
      assert.equal((await service.delete(`${path}${query}`, { key })).status, 200);
  const isErased = async () => (await service.get('/v1/fields')).body.data.length === 0;
  for (let tries = 0; tries < 100 && !(await isErased()); tries++) await pause(100);
  assert.ok(await isErased());
  const erased = [created, patched].flatMap(charactersOfFields);
  return { erased, kept: charactersOf(patched).filter((text) => !erased.includes(text)) };
};

describe('Erasure on SQLite', () => {
  it('An erased field leaves no byte of its values in any file after the service stops', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const folder = dirname(database.database.engine === 'sqlite' ? database.database.path : '');
    const service = await serviceFor(test, database);
    const { erased, kept } = await eraseFields(service);
    await service.stop();
    assert.deepEqual(findInFiles(folder, erased), []);
    assert.deepEqual(
      kept.filter((text) => findInFiles(folder, [text]).length === 0),
      [],
    );
  });

  it('A deleted contact leaves no byte in any file after the service stops', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const [created, patched] = [canaries(), canaries()];
    const numbers = [newPhone(), newPhone()] as const;
    const before = [...charactersOf(created), numbers[0]];
    const after = [...charactersOf(patched), numbers[1]];

    let service = await serviceFor(test, database);
    await makeCanaryFields(service);
    await fillWith(service, 150);
    const { id } = await makeContact(service, { phone_number: numbers[0], ...created });
    await fillWith(service, 150);
    await service.stop();
    assert.deepEqual(
      before.filter((text) => findInFiles(dirname(path), [text]).length === 0),
      [],
      'what is stored is found, so that the look is a real one',
    );

    service = await serviceFor(test, database);
    assert.equal(
      (await service.patch(`/v1/contacts/${id}`, { phone_number: numbers[1], ...patched })).status,
      200,
    );
    await fillWith(service, 20);
    await service.stop();
    // The snapshots of events keep what an update replaced, until they expire or the contact is deleted.
    for (const table of ['contacts', 'contact_tags', 'contact_field_values']) {
      const rows = JSON.stringify(await database.query(`select * from ${table}`));
      assert.deepEqual(
        before.filter((text) => rows.includes(text)),
        [],
        `what an update replaced is gone from ${table}`,
      );
    }
    assert.deepEqual(
      after.filter((text) => findInFiles(dirname(path), [text]).length === 0),
      [],
    );

    service = await serviceFor(test, database);
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 320);
    await service.stop();
    assert.deepEqual(findInFiles(dirname(path), [...before, ...after]), []);
    const file = openFile(path);
    assert.equal(Object.values(file.prepare('pragma integrity_check').get() ?? {})[0], 'ok');
    file.close();
  });

  it('A deleted contact leaves no byte in the stored idempotent responses', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const [created, patched] = [canaries(), canaries()];
    const numbers = [newPhone(), newPhone()] as const;
    const values = [created, patched].flatMap(charactersOfFields);
    const stored = [...[created, patched].flatMap(charactersOf), ...numbers];
    const texts = stored.filter((text) => !values.includes(text));
    const service = await serviceFor(test, database);
    await makeCanaryFields(service);
    const id = await createWithIdempotencyKeys(
      service,
      { phone_number: numbers[0], ...created },
      { phone_number: numbers[1], ...patched },
    );
    const missingTexts = async () => {
      const rows = JSON.stringify(await database.query('select * from retries'));
      assert.deepEqual(
        values.filter((text) => rows.includes(text)),
        [],
        'values of fields',
      );
      return [...texts, id].filter((text) => !rows.includes(text));
    };
    assert.deepEqual(await missingTexts(), []);
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    await service.stop();
    assert.deepEqual(await missingTexts(), [...texts, id]);
    assert.deepEqual(findInFiles(dirname(path), stored), []);
  });

  it('A deleted contact disappears from the WAL of a running service soon after the writer is idle', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const service = await serviceFor(test, database);
    await makeCanaryFields(service);
    const fields = canaries();
    const { id } = await makeContact(service, fields);
    const traces = () => findInFiles(dirname(path), charactersOf(fields));
    assert.notDeepEqual(traces(), [], 'what is stored is found');
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    for (let tries = 0; tries < 50 && traces().length > 0; tries++) await pause(100);
    assert.deepEqual(traces(), []);
    assert.equal((await service.get('/v1/contacts')).status, 200, 'it still serves');
  });

  it('A deleted contact leaves the search index as it was before', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const service = await serviceFor(test, database);
    await database.query('create virtual table entries using fts5vocab(contacts_search, instance)');
    const entries = () => database.query('select term, doc, col, offset from entries order by 1, 2, 3, 4');
    await makeCanaryFields(service);
    await fillWith(service, 5);
    const before = await entries();
    assert.ok(before.length > 50);
    const { id } = await makeContact(service, canaries());
    await service.patch(`/v1/contacts/${id}`, canaries());
    assert.ok((await entries()).length > before.length);
    await service.delete(`/v1/contacts/${id}`);
    assert.deepEqual(await entries(), before);
  });
});

/** The texts that occur in any table of a PostgreSQL database. */
const tracesIn = async (database: TestDatabase, texts: readonly string[]): Promise<string[]> => {
  const tables = (
    await database.query(
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
  ).map(({ relname }) => String(relname));
  assert.ok(tables.includes('contacts') && tables.includes('tallies'));
  const rows = [];
  for (const table of tables) rows.push(...(await database.query(`select * from ${table}`)));
  const all = JSON.stringify(rows);
  return texts.filter((text) => all.includes(text));
};

describe('Erasure on PostgreSQL', () => {
  it('An erased field leaves no row with its values', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const { erased, kept } = await eraseFields(await serviceFor(test, database));
    assert.deepEqual(await tracesIn(database, [...erased, ...kept]), kept);
  });

  it('A deleted contact leaves no row with its data, whichever instance or connection wrote it', async (test) => {
    const database = await databaseFor(test, 'postgres');
    const instances = [await serviceFor(test, database), await serviceFor(test, database)];
    const [one, two] = instances as [TestService, TestService];
    await makeCanaryFields(one);
    const [created, patched] = [canaries(), canaries()];
    const numbers = [newPhone(), newPhone()] as const;
    const traces = (texts: readonly string[]) => tracesIn(database, texts);
    const id = await createWithIdempotencyKeys(
      one,
      { phone_number: numbers[0], ...created },
      { phone_number: numbers[1], ...patched },
    );
    const texts = [...charactersOf(created), ...charactersOf(patched), ...numbers];
    // Its timeline has the values before the update.
    assert.deepEqual(await traces(texts), texts);
    assert.equal((await two.patch(`/v1/contacts/${id}`, canaries())).status, 200);
    assert.equal((await one.delete(`/v1/contacts/${id}`)).status, 200);
    assert.deepEqual(await traces(texts), []);
  });
});
