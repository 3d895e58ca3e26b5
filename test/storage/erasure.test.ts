import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openFile } from '../../src/storage/sqlite/connection.ts';
import { makeContact, newPhone } from '../kit/factories.ts';
import { holdDatabase, holdService } from '../kit/held.ts';
import type { TestService } from '../kit/service.ts';

/** Characters that nothing else uses. Each trigram of them is recognised in an index by any one of its characters. */
const rare = (() => {
  let count = 0;
  return () => String.fromCodePoint(0x20101 + 0x101 * count++);
})();
const canary = () => Array.from({ length: 5 }, rare).join('');

/** A text of its own for each field that holds one. */
const canaries = () => ({
  first_name: canary(),
  last_name: canary(),
  display_name: canary(),
  email: `${canary()}@example.com`,
  company: canary(),
  notes: canary().repeat(200),
  tags: [canary(), canary()],
});

const charactersOf = (fields: ReturnType<typeof canaries>): string[] => {
  const characters = new Set(
    [...JSON.stringify(fields)].filter((each) => (each.codePointAt(0) ?? 0) > 0xffff),
  );
  assert.equal(characters.size, 40);
  return [...characters];
};

/** Which of the texts occur anywhere in the files of a folder, as bytes. */
const tracesIn = (folder: string, texts: readonly string[]): string[] => {
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  return texts.flatMap((text) =>
    files.filter(([, bytes]) => bytes.includes(text)).map(([name]) => `${text} in ${name}`),
  );
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

describe('A deleted contact on sqlite', () => {
  it('leaves no byte of any field in any file, once the service has stopped', async (test) => {
    const database = await holdDatabase(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const [created, patched] = [canaries(), canaries()];
    const numbers = [newPhone(), newPhone()] as const;
    const before = [...charactersOf(created), numbers[0]];
    const after = [...charactersOf(patched), numbers[1]];

    let service = await holdService(test, database);
    await fillWith(service, 150);
    const { id } = await makeContact(service, { phone_number: numbers[0], ...created });
    await fillWith(service, 150);
    await service.stop();
    assert.deepEqual(
      before.filter((text) => tracesIn(dirname(path), [text]).length === 0),
      [],
      'what is stored is found, so that the look is a real one',
    );

    service = await holdService(test, database);
    assert.equal(
      (await service.patch(`/v1/contacts/${id}`, { phone_number: numbers[1], ...patched })).status,
      200,
    );
    await fillWith(service, 20);
    await service.stop();
    assert.deepEqual(tracesIn(dirname(path), before), [], 'what an update replaced is gone');
    assert.deepEqual(
      after.filter((text) => tracesIn(dirname(path), [text]).length === 0),
      [],
    );

    service = await holdService(test, database);
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, 320);
    await service.stop();
    assert.deepEqual(tracesIn(dirname(path), [...before, ...after, id]), []);
    const file = openFile(path);
    assert.equal(Object.values(file.prepare('pragma integrity_check').get() ?? {})[0], 'ok');
    file.close();
  });

  it('is gone from the log while the service goes on, soon after the writer rests', async (test) => {
    const database = await holdDatabase(test, 'sqlite');
    const path = database.database.engine === 'sqlite' ? database.database.path : '';
    const service = await holdService(test, database);
    const told = canaries();
    const { id } = await makeContact(service, told);
    const traces = () => tracesIn(dirname(path), charactersOf(told));
    assert.notDeepEqual(traces(), [], 'what is stored is found');
    assert.equal((await service.delete(`/v1/contacts/${id}`)).status, 200);
    for (let tries = 0; tries < 50 && traces().length > 0; tries++) await pause(100);
    assert.deepEqual(traces(), []);
    assert.equal((await service.get('/v1/contacts')).status, 200, 'it still serves');
  });

  it('leaves the search index as it was before', async (test) => {
    const database = await holdDatabase(test, 'sqlite');
    const service = await holdService(test, database);
    await database.query('create virtual table entries using fts5vocab(contacts_search, instance)');
    const entries = () => database.query('select term, doc, col, offset from entries order by 1, 2, 3, 4');
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

describe('A deleted contact on postgres', () => {
  it('leaves no row that holds anything of it, whichever instance or connection did what', async (test) => {
    const database = await holdDatabase(test, 'postgres');
    const instances = [await holdService(test, database), await holdService(test, database)];
    const [one, two] = instances as [TestService, TestService];
    const [created, patched] = [canaries(), canaries()];
    const numbers = [newPhone(), newPhone()] as const;
    const tables = (
      await database.query(
        `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      )
    ).map(({ relname }) => String(relname));
    assert.ok(tables.includes('contacts') && tables.includes('tallies'));
    const traces = async (texts: readonly string[]) => {
      const rows = [];
      for (const table of tables) rows.push(...(await database.query(`select * from ${table}`)));
      const all = JSON.stringify(rows);
      return texts.filter((text) => all.includes(text));
    };

    const { id } = await makeContact(one, { phone_number: numbers[0], ...created });
    const texts = [...charactersOf(created), ...charactersOf(patched), ...numbers, id];
    assert.equal((await traces(texts)).length, 40 + 2);
    assert.equal(
      (await two.patch(`/v1/contacts/${id}`, { phone_number: numbers[1], ...patched })).status,
      200,
    );
    assert.equal((await one.delete(`/v1/contacts/${id}`)).status, 200);
    assert.deepEqual(await traces(texts), []);
  });
});
