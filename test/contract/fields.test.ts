import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { contactVariables } from '../../src/features/agents/placeholders.ts';
import { contactFields, contactUpdate, includeQuery } from '../../src/features/contacts/contact.schema.ts';
import { attributeNames } from '../../src/features/contacts/filter.attributes.ts';
import { reservedKeys } from '../../src/features/fields/field.service.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

let count = 0;
const newKey = () => `key_${++count}`;

test('Every member of a contact, every attribute of filters and every variable of instructions is a reserved key', () => {
  const names = [
    ...contactFields,
    ...contactVariables,
    ...attributeNames,
    ...Object.keys(contactUpdate.fields),
  ];
  const included = String(includeQuery.fields.include?.schema.description).split(': ')[1] ?? '';
  for (const name of [...names, ...included.replace('.', '').split(', ')])
    assert.ok(reservedKeys.has(name), name);
});

onEveryEngine('Fields of a workspace', (service) => {
  let key: string;
  before(async () => {
    key = await createScopedKey(service.database, 'admin', 'contacts:read', 'audit:read');
  });
  const call = (method: string, path = '', body?: unknown) =>
    service.call(method, `/v1/fields${path}`, body, { key });
  const make = async (fields: Json = {}): Promise<Json> => {
    const reply = await call('POST', '', { key: newKey(), label: 'Label', type: 'text', ...fields });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data;
  };
  /** Waits until no job of fields is left. */
  const settled = async () => {
    const jobs = () => service.database.query(`select 1 from jobs where kind like 'field.%'`);
    for (const since = performance.now(); (await jobs()).length > 0; await pause(20))
      assert.ok(performance.now() - since < 60_000, 'the jobs of fields do not end');
  };
  const indexOf = async (field: string) =>
    (
      await service.database.query(
        'select value from contact_field_values where field = ? order by value',
        field,
      )
    ).map(({ value }) => value);

  test('A new field has exactly the documented members', async () => {
    const name = newKey();
    const reply = await call('POST', '', { key: name, label: 'Renewal', type: 'date' });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get('location'), `/v1/fields/${name}`);
    const { created_at, updated_at, ...others } = reply.body.data;
    assert.equal(created_at, updated_at);
    assert.deepEqual(others, {
      key: name,
      label: 'Renewal',
      type: 'date',
      filterable: false,
      archived_at: null,
    });
    assert.deepEqual((await call('GET', `/${name}`)).body.data, reply.body.data);
    assert.deepEqual((await call('GET')).body.data.at(-1), reply.body.data);
    const plan = await make({ type: 'enum', options: ['b', 'a', 'b'], filterable: true });
    assert.deepEqual([plan.options, plan.filterable], [['b', 'a'], true]);
  });

  test('A wrong field is refused with what to send', async () => {
    const good = { key: 'good', label: 'Good', type: 'text' };
    for (const [wrong, field] of [
      [{ key: 'Plan' }, 'key'],
      [{ key: '1plan' }, 'key'],
      [{ key: '' }, 'key'],
      [{ key: 'a'.repeat(41) }, 'key'],
      [{ key: '__proto__' }, 'key'],
      [{ label: '' }, 'label'],
      [{ label: undefined }, 'label'],
      [{ type: 'json' }, 'type'],
      [{ type: 'enum' }, 'options'],
      [{ type: 'enum', options: [] }, 'options'],
      [{ type: 'enum', options: [''] }, 'options[0]'],
      [{ type: 'enum', options: Array.from({ length: 101 }, (_, at) => `${at}`) }, 'options'],
      [{ options: ['a'] }, 'options'],
      [{ filterable: 'yes' }, 'filterable'],
      [{ unknown: 1 }, 'unknown'],
    ] as const) {
      const { details } = assertError(await call('POST', '', { ...good, ...wrong }), 400, 'VALIDATION_ERROR');
      assert.equal((details as Json[])[0]?.field, field, JSON.stringify(wrong));
    }
    assertError(await call('GET', '/good'), 404, 'NOT_FOUND');
  });

  test('A key that exists or that Roster uses is a conflict', async () => {
    const { key: taken } = await make();
    for (const name of [taken, 'first_name', 'crm_ids', 'fields', 'identities', 'tags', 'constructor'])
      assertError(await call('POST', '', { key: name, label: 'x', type: 'text' }), 409, 'CONFLICT');
  });

  test('The label changes, and a field can be sent back as it was read', async () => {
    const field = await make({ type: 'enum', options: ['a'], filterable: true });
    const same = await call('PATCH', `/${field.key}`, field);
    assert.deepEqual(same.body.data, field);
    const { body } = await call('PATCH', `/${field.key}`, { label: 'New', options: ['b', 'a'] });
    assert.ok(body.data.updated_at > field.updated_at);
    const { updated_at } = body.data;
    assert.deepEqual(body.data, { ...field, label: 'New', options: ['b', 'a'], updated_at });
  });

  test('The key, the type and existing options never change', async () => {
    const field = await make({ type: 'enum', options: ['a', 'b'] });
    for (const [wrong, name] of [
      [{ key: 'other' }, 'key'],
      [{ type: 'text' }, 'type'],
      [{ options: ['a', 'c'] }, 'options'],
    ] as const) {
      const { details } = assertError(await call('PATCH', `/${field.key}`, wrong), 400, 'VALIDATION_ERROR');
      assert.equal((details as Json[])[0]?.field, name);
    }
    const text = await make();
    assertError(await call('PATCH', `/${text.key}`, { options: ['a'] }), 400, 'VALIDATION_ERROR');
    assert.deepEqual((await call('GET', `/${field.key}`)).body.data, field);
  });

  test('A field without values is deleted, and its key is free again', async () => {
    const { key: name } = await make({ filterable: true });
    const { id } = await makeContact(service, { fields: { [name]: 'x' } });
    await service.patch(`/v1/contacts/${id}`, { fields: { [name]: null } });
    const { body } = await call('DELETE', `/${name}`);
    assert.deepEqual(body.data, { deleted: true, archived: false, contacts: 0 });
    for (const method of ['GET', 'DELETE']) assertError(await call(method, `/${name}`), 404, 'NOT_FOUND');
    await make({ key: name });
  });

  test('A field with values is archived, hidden and unarchived', async () => {
    const { key: name } = await make();
    const { id } = await makeContact(service, { fields: { [name]: 'kept' } });
    assertError(await call('DELETE', `/${name}?erase=true`), 400, 'VALIDATION_ERROR');
    const first = await call('DELETE', `/${name}`);
    assert.deepEqual(first.body.data, { deleted: false, archived: true, contacts: 1 });
    assert.notEqual((await call('GET', `/${name}`)).body.data.archived_at, null);
    assert.deepEqual((await call('DELETE', `/${name}`)).body.data, first.body.data);
    const shown = async () => (await service.get(`/v1/contacts/${id}?include=fields`)).body.data.fields;
    assert.deepEqual(await shown(), {});
    assertError(
      await service.patch(`/v1/contacts/${id}`, { fields: { [name]: 'x' } }),
      400,
      'VALIDATION_ERROR',
    );
    assert.equal((await call('PATCH', `/${name}`, { archived: false })).body.data.archived_at, null);
    assert.deepEqual(await shown(), { [name]: 'kept' });
  });

  test('A key whose values are being erased is refused with the reason', async () => {
    const { key: name } = await make();
    await service.database.query(
      `update contact_fields set archived_at = created_at, erased_by = 'x' where key = '${name}'`,
    );
    const reply = await call('POST', '', { key: name, label: 'x', type: 'text' });
    assert.match(assertError(reply, 409, 'CONFLICT').message, /are being erased/);
  });

  test('A second delete with erase=true erases the values and then the field', async () => {
    const [gone, kept] = [await make({ filterable: true }), await make()];
    const ids: string[] = [];
    for (let at = 0; at < 250; at += 50)
      ids.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, async () => {
            const made = await makeContact(service, { fields: { [gone.key]: 'gone', [kept.key]: 'kept' } });
            return made.id as string;
          }),
        )),
      );
    const [before] = (await service.get('/v1/contacts?limit=1')).body.data;
    await call('DELETE', `/${gone.key}`);
    const reply = await call('DELETE', `/${gone.key}?erase=true`);
    assert.deepEqual(reply.body.data, { deleted: false, archived: true, contacts: 250 });
    await settled();
    assertError(await call('GET', `/${gone.key}`), 404, 'NOT_FOUND');
    const left = await service.database.query(
      `select fields from contacts where fields like '%${gone.key}"%'`,
    );
    assert.deepEqual(left, []);
    assert.deepEqual(await indexOf(gone.key), []);
    const counters = await service.database.query(
      'select 1 from tallies where list = ?',
      `fields:${gone.key}`,
    );
    assert.deepEqual(counters, []);
    const { fields, updated_at } = (await service.get(`/v1/contacts/${before.id}?include=fields`)).body.data;
    assert.deepEqual(fields, { [kept.key]: 'kept' });
    assert.ok(updated_at > before.updated_at);
    const events = await service.database.query(
      `select changed from events where subject = ? and type = 'contact.updated'`,
      before.id,
    );
    assert.deepEqual(
      events.map(({ changed }) => changed),
      [JSON.stringify([`fields.${gone.key}`])],
    );
    await make({ key: gone.key, type: 'number' });
  });

  test('Values are indexed in the background when a field becomes filterable, and removed when it no longer is', async () => {
    const { key: name } = await make({ type: 'text' });
    const made = await Promise.all(
      Array.from({ length: 130 }, (_, at) => makeContact(service, { fields: { [name]: `v${at}` } })),
    );
    assert.deepEqual(await indexOf(name), []);
    const indexed = async () => {
      const [row] = await service.database.query('select indexed from contact_fields where key = ?', name);
      return Number(row?.indexed);
    };
    assert.equal((await call('PATCH', `/${name}`, { filterable: true })).body.data.filterable, true);
    // Writes while the job runs.
    const ids = made.map(({ id }) => id);
    await Promise.all([
      service.patch(`/v1/contacts/${ids[0]}`, { fields: { [name]: 'changed' } }),
      service.patch(`/v1/contacts/${ids[1]}`, { fields: { [name]: null } }),
      service.delete(`/v1/contacts/${ids[2]}`),
      makeContact(service, { fields: { [name]: 'new' } }),
    ]);
    await settled();
    assert.equal(await indexed(), 1);
    const expected = ['changed', 'new', ...Array.from({ length: 127 }, (_, at) => `v${at + 3}`)];
    assert.deepEqual((await indexOf(name)).sort(), expected.sort());
    await call('PATCH', `/${name}`, { filterable: false });
    await settled();
    assert.deepEqual([await indexed(), await indexOf(name)], [0, []]);
    await service.patch(`/v1/contacts/${ids[0]}`, { fields: { [name]: 'again' } });
    assert.deepEqual(await indexOf(name), []);
  });

  test('Changes are in the audit log, with the labels before and after', async () => {
    const { key: name, label } = await make();
    await call('PATCH', `/${name}`, { label: 'Other label' });
    await call('DELETE', `/${name}`);
    const rows = await service.database.query(
      'select action, fields from audit_entries where subject = ? order by seq',
      name,
    );
    assert.deepEqual(
      rows.map(({ action, fields }) => [action, JSON.parse(String(fields))]),
      [
        ['field.created', null],
        ['field.updated', { names: ['label'], before: { label }, after: { label: 'Other label' } }],
        ['field.deleted', null],
      ],
    );
    const { body } = await service.get('/v1/audit?limit=3', { key });
    assert.deepEqual(
      body.data.map(({ action }: Json) => action),
      ['field.deleted', 'field.updated', 'field.created'],
    );
  });

  test('Reading needs contacts:read, and changing admin', async () => {
    const { key: name } = await make();
    const [reader, admin] = [
      await createScopedKey(service.database, 'contacts:read', 'contacts:write'),
      await createScopedKey(service.database, 'admin'),
    ];
    const as = (who: string, method: string, path = '', body?: unknown) =>
      service.call(method, `/v1/fields${path}`, body, { key: who });
    assert.equal((await as(reader, 'GET')).status, 200);
    assert.equal((await as(reader, 'GET', `/${name}`)).status, 200);
    assertError(await as(admin, 'GET'), 403, 'FORBIDDEN');
    assertError(await as(reader, 'POST', '', { key: newKey(), label: 'x', type: 'text' }), 403, 'FORBIDDEN');
    assertError(await as(reader, 'PATCH', `/${name}`, { label: 'x' }), 403, 'FORBIDDEN');
    assertError(await as(reader, 'DELETE', `/${name}`), 403, 'FORBIDDEN');
  });

  test("Another workspace's field is not found, and its key is free here", async () => {
    const { key: name } = await make();
    const storage = await openTestStorage(service.database);
    const other = (await makeWorkspace(storage)).key;
    await storage.close();
    const get = (field: string) => service.get(`/v1/fields/${field}`, { key: other });
    const [theirs, nobodys] = [await get(name), await get('nothing')];
    assert.equal(theirs.status, 404);
    assert.deepEqual(comparableReply(theirs), comparableReply(nobodys));
    assert.deepEqual((await service.get('/v1/fields', { key: other })).body.data, []);
    const sent = { phone_number: newPhone(), fields: { [name]: 'x' } };
    assertError(await service.post('/v1/contacts', sent, { key: other }), 400, 'VALIDATION_ERROR');
  });

  test('Concurrent creates neither exceed the limits nor create a key twice', async () => {
    const create = (body: Json) => call('POST', '', { label: 'x', type: 'text', ...body });
    const same = newKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ key: same })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)]);
    const all = async () => (await call('GET')).body.data as Json[];
    const filterable = async () => (await all()).filter((each) => each.filterable).length;
    await Promise.all(Array.from({ length: 25 }, () => create({ key: newKey(), filterable: true })));
    assert.equal(await filterable(), 20);
    const plain = (await all()).find((each) => !each.filterable);
    assertError(await call('PATCH', `/${plain?.key}`, { filterable: true }), 409, 'CONFLICT');
    await Promise.all(Array.from({ length: 100 }, () => create({ key: newKey() })));
    assert.equal((await all()).length, 100);
    assertError(await create({ key: newKey() }), 409, 'CONFLICT');
  });
});
