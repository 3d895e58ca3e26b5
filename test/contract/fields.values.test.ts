import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openSnapshot } from '../../src/db/open/snapshot.ts';
import { indexedValue } from '../../src/features/fields/field.values.ts';
import { verify } from '../../src/features/verify/verify.ts';
import { CREATED_KEYS, FULL_KEYS, keysOf, LISTED_KEYS } from '../kit/fixtures/contacts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const VALUES = {
  active: true,
  balance: 12.5,
  plan: 'gold',
  remark: 'Prefers “tea” 🍵',
  renewal: '2026-12-01',
  site: 'https://example.com/a?b=1',
  visit: '2026-11-18T08:30:00.000Z',
};

onEveryEngine("A contact's values of fields", (service) => {
  before(async () => {
    await makeField(service, 'plan', 'enum', { options: ['gold', 'silver'], filterable: true });
    await makeField(service, 'balance', 'number', { filterable: true });
    await makeField(service, 'active', 'boolean');
    await makeField(service, 'renewal', 'date');
    await makeField(service, 'visit', 'datetime');
    await makeField(service, 'site', 'url');
    await makeField(service, 'remark', 'text');
    await makeField(service, 'old', 'text');
    const archive = 'update contact_fields set archived_at = ? where key = ?';
    await service.database.query(archive, '2026-01-02T00:00:00.000Z', 'old');
  });

  test('A key that cannot read contacts does not learn the names of fields from a refusal', async () => {
    const key = await createScopedKey(service.database, 'contacts:write');
    const fields = { plan: 'gold', unknown: 1 };
    const messageTo = async (options: Json) => {
      const reply = await service.post('/v1/contacts', { phone_number: newPhone(), fields }, options);
      return JSON.stringify(assertError(reply, 400, 'VALIDATION_ERROR').details);
    };
    assert.match(await messageTo({}), /balance/);
    assert.doesNotMatch(await messageTo({ key }), /balance/);
  });

  const fieldsOf = async (id: string): Promise<Json> => {
    const { body } = await service.get(`/v1/contacts/${id}?include=fields`);
    return body.data.fields;
  };
  const storedOf = async (id: string) => {
    const [row] = await service.database.query('select fields, seq from contacts where id = ?', id);
    const index = await service.database.query(
      'select field, value from contact_field_values where seq = ? order by field',
      Number(row?.seq),
    );
    return { fields: String(row?.fields), index: index.map(({ field, value }) => [field, value]) };
  };
  const countOf = async (key: string) => {
    const sum = 'select sum(count) as count from tallies where list = ?';
    const [row] = await service.database.query(sum, `fields:${key}`);
    return Number(row?.count ?? 0);
  };

  test('A create stores them sorted by key, and shows them only if the request includes them', async () => {
    const fields = { ...VALUES, visit: '2026-11-18T09:30:00+01:00' };
    const sent = { phone_number: newPhone(), fields: Object.fromEntries(Object.entries(fields).reverse()) };
    const plain = await makeContact(service, sent);
    assert.deepEqual(keysOf(plain), CREATED_KEYS);
    assert.equal((await storedOf(plain.id)).fields, JSON.stringify(VALUES));
    assert.deepEqual(await fieldsOf(plain.id), VALUES);
    const { status, body } = await service.post('/v1/contacts?include=fields', {
      ...sent,
      phone_number: newPhone(),
    });
    assert.equal(status, 201);
    assert.deepEqual(keysOf(body.data), [...CREATED_KEYS, 'fields'].sort());
    assert.deepEqual(body.data.fields, VALUES);
  });

  test('A get, a list, a get by number and an update show them only if the request includes them', async () => {
    const { id, phone_number } = await makeContact(service, { tags: ['shown'], fields: { plan: 'gold' } });
    const get = async (path: string) => (await service.get(`/v1/contacts${path}`)).body.data;
    assert.deepEqual(keysOf(await get(`/${id}`)), FULL_KEYS);
    assert.deepEqual((await get(`/${id}?include=fields`)).fields, { plan: 'gold' });
    assert.deepEqual((await get(`/by-phone/${phone_number}?include=fields`)).fields, { plan: 'gold' });
    assert.deepEqual(keysOf((await get('?tag=shown'))[0]), LISTED_KEYS);
    assert.deepEqual((await get('?tag=shown&include=fields'))[0].fields, { plan: 'gold' });
    const sent = { fields: { balance: 3 } };
    assert.deepEqual(keysOf((await service.patch(`/v1/contacts/${id}`, sent)).body.data), LISTED_KEYS);
    const changed = await service.patch(`/v1/contacts/${id}?include=fields,crm_ids`, sent);
    assert.deepEqual(keysOf(changed.body.data), [...LISTED_KEYS, 'fields', 'crm_ids'].sort());
    assert.deepEqual(changed.body.data.fields, { balance: 3, plan: 'gold' });
  });

  test('An update merges by key, null clears a value, and updated_at increases', async () => {
    const { id, updated_at } = await makeContact(service, { fields: VALUES });
    const { body } = await service.patch(`/v1/contacts/${id}`, { fields: { plan: 'silver', site: null } });
    assert.ok(body.data.updated_at > updated_at);
    const { site: _, ...rest } = VALUES;
    assert.deepEqual(await fieldsOf(id), { ...rest, plan: 'silver' });
    const cleared = Object.fromEntries(Object.keys(VALUES).map((key) => [key, null]));
    await service.patch(`/v1/contacts/${id}`, { fields: cleared });
    assert.deepEqual(await fieldsOf(id), {});
    assert.deepEqual(await storedOf(id), { fields: '{}', index: [] });
  });

  test('An upsert creates with values and merges them', async () => {
    const path = `/v1/contacts/by-phone/${newPhone()}?include=fields`;
    const first = await service.call('PUT', path, { fields: { plan: 'gold', remark: '' } });
    assert.equal(first.status, 201);
    assert.deepEqual(first.body.data.fields, { plan: 'gold', remark: '' });
    const second = await service.call('PUT', path, { fields: { plan: null, balance: -0 } });
    assert.equal(second.status, 200);
    assert.deepEqual(second.body.data.fields, { balance: 0, remark: '' });
  });

  test('A batch writes them; an operation with wrong ones fails alone and names the key', async () => {
    const [one, other] = [newPhone(), newPhone()];
    const { id } = await makeContact(service, { fields: { plan: 'gold' } });
    const operations = [
      { op: 'create', phone_number: one, fields: { balance: 1 } },
      { op: 'create', phone_number: other, fields: { balance: 'one' } },
      { op: 'update', id, fields: { plan: 'brass' } },
      { op: 'update', id, fields: { balance: 2 } },
      { op: 'upsert', phone_number: one, fields: { remark: 'x' } },
    ];
    const { body } = await service.post('/v1/contacts/batch?include=fields', { operations });
    const results = body.data.results as Json[];
    assert.deepEqual(
      results.map(({ status, fields }) => [status, fields]),
      [
        ['created', { balance: 1, remark: 'x' }],
        ['failed', undefined],
        ['failed', undefined],
        ['updated', { balance: 2, plan: 'gold' }],
        ['updated', { balance: 1, remark: 'x' }],
      ],
    );
    assert.deepEqual(results[1]?.error.details, [
      { field: 'fields.balance', message: 'must be a number from -10^15 to 10^15, for example 12.5.' },
    ]);
    assert.deepEqual(results[2]?.error.details, [
      { field: 'fields.plan', message: 'must be one of gold, silver.' },
    ]);
    const plain = await service.post('/v1/contacts/batch', { operations: [{ op: 'update', id }] });
    assert.deepEqual(Object.keys(plain.body.data.results[0]), ['index', 'status', 'id', 'error']);
    const refused = await service.post('/v1/contacts/batch', {
      atomic: true,
      operations: [
        { op: 'update', id, fields: { balance: 9 } },
        { op: 'update', id, fields: { nothing: 1 } },
      ],
    });
    const { details } = assertError(refused, 400, 'VALIDATION_ERROR');
    assert.equal((details as Json[])[0]?.field, 'operations[1].fields.nothing');
    assert.deepEqual(await fieldsOf(id), { balance: 2, plan: 'gold' });
  });

  const WRONG: [key: string, value: unknown][] = [
    ['nothing', 'x'],
    ['old', 'archived'],
    ['old', null],
    ['plan', 'brass'],
    ['plan', ''],
    ['balance', '12'],
    ['balance', 1e16],
    ['active', 'true'],
    ['renewal', '2026-02-30'],
    ['renewal', '2026-12-01T00:00:00Z'],
    ['visit', '2026-12-01'],
    ['visit', '2026-12-01T10:00:00'],
    ['site', 'example.com'],
    ['site', 'javascript:alert(1)'],
    ['remark', 'x'.repeat(2_001)],
    ['remark', 'a\u0000b'],
    ['remark', 7],
    ['remark', ['x']],
    ['remark', {}],
  ];
  for (const [key, value] of WRONG)
    test(`The value ${JSON.stringify(value).slice(0, 30)} of ${key} is refused and changes nothing`, async () => {
      const { id, phone_number } = await makeContact(service, { fields: { plan: 'gold' } });
      const unused = newPhone();
      const sent = { first_name: 'Changed', fields: { plan: 'silver', [key]: value } };
      for (const [method, path, body] of [
        ['PATCH', `/${id}`, sent],
        ['PUT', `/by-phone/${phone_number}`, sent],
        ['PUT', `/by-phone/${unused}`, sent],
        ['POST', '', { phone_number: unused, ...sent }],
      ] as const) {
        const answer = await service.call(method, `/v1/contacts${path}`, body);
        const { details } = assertError(answer, 400, 'VALIDATION_ERROR');
        assert.deepEqual(
          (details as Json[]).map(({ field }) => field),
          [`fields.${key}`],
        );
      }
      const { body } = await service.get(`/v1/contacts/${id}?include=fields`);
      assert.equal(body.data.first_name, null);
      assert.deepEqual(body.data.fields, { plan: 'gold' });
      assert.equal((await service.get(`/v1/contacts/by-phone/${unused}`)).status, 404);
    });

  test('The refusal of an enum names its options, whatever the type of the value', async () => {
    for (const plan of ['brass', 3, true]) {
      const reply = await service.post('/v1/contacts', { phone_number: newPhone(), fields: { plan } });
      const { details } = assertError(reply, 400, 'VALIDATION_ERROR');
      assert.deepEqual(details, [{ field: 'fields.plan', message: 'must be one of gold, silver.' }]);
    }
  });

  test('Something else than an object of values is refused', async () => {
    for (const fields of [null, [], 'plan', 7])
      assertError(
        await service.post('/v1/contacts', { phone_number: newPhone(), fields }),
        400,
        'VALIDATION_ERROR',
      );
    for (const key of ['Plan', '__proto__', 'constructor', 'x'.repeat(41), 'a b'])
      assertError(
        await service.post('/v1/contacts', {
          phone_number: newPhone(),
          fields: JSON.parse(`{${JSON.stringify(key)}:"x"}`),
        }),
        400,
        'VALIDATION_ERROR',
      );
  });

  test('Among concurrent creates, those with wrong values are refused alone', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        service.call(
          at % 2 ? 'PUT' : 'POST',
          at % 2 ? `/v1/contacts/by-phone/${newPhone()}` : '/v1/contacts',
          {
            ...(at % 2 ? {} : { phone_number: newPhone() }),
            fields: { balance: at % 3 === 0 ? 'x' : at },
          },
        ),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, at) => (at % 3 === 0 ? 400 : 201)),
    );
    const created = answers.filter(({ status }) => status === 201);
    for (const { body } of created) assert.equal(typeof (await fieldsOf(body.data.id)).balance, 'number');
  });

  test('The index has the values of filterable fields, and a counter the contacts of each', async () => {
    const [plans, balances, remarks] = await Promise.all(['plan', 'balance', 'remark'].map(countOf));
    const { id } = await makeContact(service, { fields: { plan: 'gold', balance: -7, remark: 'x' } });
    assert.deepEqual((await storedOf(id)).index, [
      ['balance', indexedValue(-7)],
      ['plan', 'gold'],
    ]);
    await service.patch(`/v1/contacts/${id}`, { fields: { plan: 'silver', balance: null } });
    assert.deepEqual((await storedOf(id)).index, [['plan', 'silver']]);
    assert.equal(await countOf('plan'), Number(plans) + 1);
    assert.equal(await countOf('balance'), balances);
    assert.equal(await countOf('remark'), Number(remarks) + 1);
    const [{ seq } = {}] = await service.database.query('select seq from contacts where id = ?', id);
    await service.delete(`/v1/contacts/${id}`);
    const left = 'select count(*) as count from contact_field_values where seq = ?';
    assert.equal(Number((await service.database.query(left, Number(seq)))[0]?.count), 0);
    assert.deepEqual([await countOf('plan'), await countOf('remark')], [plans, remarks]);
  });

  test('Audit entry and event name the changed fields without values, and the timeline has the values', async () => {
    const { id } = await makeContact(service, { fields: { plan: 'gold', remark: 'secret' } });
    await service.patch(`/v1/contacts/${id}`, {
      company: 'Engines',
      fields: { plan: 'silver', remark: 'secret', balance: 4711 },
    });
    const named = ['company', 'fields.balance', 'fields.plan'];
    const { query } = service.database;
    const [entry] = await query(
      `select fields from audit_entries where subject = ? and action = 'contact.updated'`,
      id,
    );
    assert.deepEqual(JSON.parse(String(entry?.fields)), named);
    const [event] = await query(
      `select changed from events where subject = ? and type = 'contact.updated'`,
      id,
    );
    assert.deepEqual(JSON.parse(String(event?.changed)), named);
    const [change] = await query('select details from contact_changes where contact_id = ?', id);
    assert.deepEqual(JSON.parse(String(change?.details)), {
      fields: named,
      values: {
        before: { company: null, 'fields.balance': null, 'fields.plan': 'gold' },
        after: { company: 'Engines', 'fields.balance': 4711, 'fields.plan': 'silver' },
      },
    });
  });

  test('A stored answer of an idempotency key has no values, and a repeated request shows them', async () => {
    const headers = { 'Idempotency-Key': newPhone() };
    const sent = { phone_number: newPhone(), fields: { remark: 'once-only' } };
    const create = () => service.call('POST', '/v1/contacts?include=fields', sent, { headers });
    const [first, second] = [await create(), await create()];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(first.body.data.fields, sent.fields);
    const stored = await service.database.query('select answer from retries');
    assert.ok(stored.length > 0);
    assert.ok(!JSON.stringify(stored).includes('once-only'));
  });

  test('A key that may not read contacts can write values, but not include any', async () => {
    const key = await createScopedKey(service.database, 'contacts:write');
    const { id } = await makeContact(service, { fields: { remark: 'hidden' } });
    const patch = (path: string) =>
      service.call('PATCH', `/v1/contacts/${id}${path}`, { fields: { plan: 'gold' } }, { key });
    assert.deepEqual((await patch('')).body.data, { id, fields: { plan: 'gold' } });
    assertError(await patch('?include=fields'), 403, 'FORBIDDEN');
    const sent = { phone_number: newPhone(), fields: { plan: 'gold' } };
    assertError(await service.call('POST', '/v1/contacts?include=fields', sent, { key }), 403, 'FORBIDDEN');
    const operations = [{ op: 'update', id }];
    assertError(
      await service.call('POST', '/v1/contacts/batch?include=fields', { operations }, { key }),
      403,
      'FORBIDDEN',
    );
  });

  test('The command verify finds a wrong counter and a missing index entry', async () => {
    const { id } = await makeContact(service, { fields: { plan: 'gold' } });
    const check = async () => {
      const snapshot = await openSnapshot(service.database.database);
      try {
        const results = await Array.fromAsync(verify(snapshot, { onStart: () => {} }));
        return results.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]);
      } finally {
        await snapshot.close();
      }
    };
    assert.deepEqual(await check(), []);
    const [{ seq } = {}] = await service.database.query('select seq from contacts where id = ?', id);
    await service.database.query('delete from contact_field_values where seq = ?', Number(seq));
    const index = ['the index of fields matches the values of contacts', 1];
    assert.deepEqual(await check(), [index]);
    await service.database.query(`update tallies set count = count + 1 where list = 'fields:remark'`);
    assert.deepEqual(await check(), [['stored counters match the rows', 1], index]);
    const [row] = await service.database.query('select workspace_id from contacts where id = ?', id);
    await service.database.query(
      `insert into contact_field_values (workspace_id, field, value, seq) values (?, 'plan', 'gold', ?)`,
      Number(row?.workspace_id),
      Number(seq),
    );
    await service.database.query(`update tallies set count = count - 1 where list = 'fields:remark'`);
    assert.deepEqual(await check(), []);
  });

  test('All values of a contact have at most 65,536 bytes', async () => {
    for (let at = 0; at < 9; at++) await makeField(service, `long_${at}`, 'text');
    const fields = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`long_${at}`, '🍵'.repeat(2_000)]),
    );
    const { long_8: _, ...eight } = fields;
    const { id } = await makeContact(service, { fields: eight });
    const { details } = assertError(
      await service.patch(`/v1/contacts/${id}`, { fields: { long_8: '🍵'.repeat(2_000) } }),
      400,
      'VALIDATION_ERROR',
    );
    assert.equal((details as Json[])[0]?.field, 'fields');
    assert.deepEqual(await fieldsOf(id), eight);
  });
});
