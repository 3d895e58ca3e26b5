import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  assertFieldsRejected,
  countContacts,
  getContact,
  keysOf,
  LISTED_KEYS,
  listContactIds,
  listContacts,
} from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Empty contact list', (service) => {
  test('An empty contact list returns a page without contacts', async () => {
    const { status, body } = await service.get('/v1/contacts');
    assert.equal(status, 200);
    const pagination = { total: 0, limit: 20, offset: 0, has_more: false };
    assert.deepEqual(body, { success: true, data: [], pagination });
  });
});

onEveryEngine('Contact list', (service) => {
  /** 25 contacts, the newest first. */
  let made: Json[];
  before(async () => {
    made = [];
    for (let at = 0; at < 25; at++) made.unshift(await makeContact(service, { first_name: `Ada ${at}` }));
  });
  const ids = (from: number, to: number) => made.slice(from, to).map(({ id }) => id);

  test('The contact list returns 200 with exactly the documented fields and pagination', async () => {
    for (const prefix of ['/v1', '/api/v1']) {
      const { status, body } = await service.get(`${prefix}/contacts`);
      assert.equal(status, 200);
      assert.deepEqual(keysOf(body), ['data', 'pagination', 'success']);
      assert.equal(body.success, true);
      assert.deepEqual(body.pagination, { total: 25, limit: 20, offset: 0, has_more: true });
      for (const contact of body.data) assert.deepEqual(keysOf(contact), LISTED_KEYS);
    }
  });

  test('A listed contact equals the result of a get, without the CRM ids', async () => {
    const { data } = await listContacts(service, { limit: 3 });
    for (const contact of data) {
      const { crm_ids: _, ...rest } = await getContact(service, contact.id);
      assert.deepEqual(contact, rest);
    }
  });

  test('The contact list is newest first, also after an older contact is updated', async () => {
    const reply = await service.patch(`/v1/contacts/${made[24].id}`, { notes: 'Changed last.' });
    assert.equal(reply.status, 200);
    assert.deepEqual(await listContactIds(service, {}), ids(0, 25));
  });

  test('The contact list paginates by limit and offset', async () => {
    const pages = [
      [{}, 0, 20, true],
      [{ limit: 1 }, 0, 1, true],
      [{ limit: 100 }, 0, 25, false],
      [{ limit: 24 }, 0, 24, true],
      [{ limit: 25 }, 0, 25, false],
      [{ offset: 0 }, 0, 20, true],
      [{ offset: 4 }, 4, 24, true],
      [{ offset: 5 }, 5, 25, false],
      [{ limit: 10, offset: 10 }, 10, 20, true],
      [{ limit: 10, offset: 20 }, 20, 25, false],
      [{ limit: 1, offset: 24 }, 24, 25, false],
    ] as const;
    for (const [query, from, to, has_more] of pages) {
      const { data, pagination } = await listContacts(service, query);
      assert.deepEqual(
        data.map(({ id }) => id),
        ids(from, to),
      );
      assert.deepEqual(pagination, { total: 25, limit: 20, offset: 0, ...query, has_more });
    }
  });

  test('A page past the end of the contact list is empty', async () => {
    for (const offset of [25, 26, 1000, 1001, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
      const { data, pagination } = await listContacts(service, { offset });
      assert.deepEqual(data, []);
      assert.deepEqual(pagination, { total: 25, limit: 20, offset, has_more: false });
    }
  });

  const notNumbers = [
    '-1',
    '-0',
    '%2B1',
    '1.5',
    '1.0',
    '1e1',
    '0x10',
    '',
    '%205',
    '5%20',
    '+5',
    '1,0',
    'abc',
    'NaN',
    'Infinity',
    'null',
    '٥',
    '5%00',
    '5;',
    '12345678901234567890',
    '9007199254740993',
  ];
  for (const field of ['limit', 'offset']) {
    const wrong = field === 'limit' ? ['0', '00', '101', '1000', ...notNumbers] : notNumbers;
    for (const value of wrong) {
      test(`The contact list rejects ${field}=${value}`, async () => {
        await assertFieldsRejected(service, [field], () => service.get(`/v1/contacts?${field}=${value}`));
        await assertFieldsRejected(service, [field], () =>
          service.get(`/v1/contacts?${field}=${value}&search=ada&tag=x`),
        );
      });
    }
  }

  test('A rejected limit or offset names the accepted range', async () => {
    const get = (query: string) => () => service.get(`/v1/contacts?${query}`);
    assert.match(
      await assertFieldsRejected(service, ['limit'], get('limit=101')),
      /whole number from 1 to 100/,
    );
    assert.match(await assertFieldsRejected(service, ['offset'], get('offset=-1')), /whole number from 0/);
    await assertFieldsRejected(service, ['limit', 'offset'], get('limit=0&offset=x'));
  });

  test('The contact list rejects unknown and repeated parameters', async () => {
    await assertFieldsRejected(service, ['serach'], () => service.get('/v1/contacts?serach=ada'));
    await assertFieldsRejected(service, ['limit'], () => service.get('/v1/contacts?limit=1&limit=2'));
    await assertFieldsRejected(service, ['tag'], () => service.get('/v1/contacts?tag=a&tag=b'));
  });

  test('The contact list rejects parameters that are not valid text', async () => {
    await assertFieldsRejected(service, ['search'], () => service.get('/v1/contacts?search=a%00b'));
    await assertFieldsRejected(service, ['tag'], () => service.get('/v1/contacts?tag=%00'));
    for (const broken of ['%ED%A0%80', '%C3', '%', '%zz', '%C0%80']) {
      assertError(await service.get(`/v1/contacts?search=${broken}`), 400, 'VALIDATION_ERROR');
      assertError(await service.get(`/v1/contacts?tag=${broken}`), 400, 'VALIDATION_ERROR');
    }
  });
});

onEveryEngine('Total of the contact list', (service) => {
  test('The total is exact after creates, rejected requests, tag changes and deletes', async () => {
    const totals = async () =>
      Promise.all([countContacts(service), ...['a', 'b', 'c'].map((tag) => countContacts(service, { tag }))]);
    const first = await makeContact(service, { tags: ['a', 'b'] });
    const second = await makeContact(service, { tags: ['b', 'b', 'c'] });
    await makeContact(service);
    assert.deepEqual(await totals(), [3, 1, 2, 1]);

    await service.post('/v1/contacts', { phone_number: first.phone_number, tags: ['a'] });
    await service.post('/v1/contacts', { phone_number: '555', tags: ['a'] });
    assert.deepEqual(await totals(), [3, 1, 2, 1]);

    await service.patch(`/v1/contacts/${first.id}`, { tags: ['c', 'a'] });
    assert.deepEqual(await totals(), [3, 1, 1, 2]);
    await service.patch(`/v1/contacts/${first.id}`, { tags: ['a', 'c'] });
    await service.patch(`/v1/contacts/${first.id}`, { first_name: 'Ada' });
    assert.deepEqual(await totals(), [3, 1, 1, 2]);
    await service.patch(`/v1/contacts/${first.id}`, { tags: [] });
    assert.deepEqual(await totals(), [3, 0, 1, 1]);

    await service.delete(`/v1/contacts/${second.id}`);
    await service.delete(`/v1/contacts/${second.id}`);
    assert.deepEqual(await totals(), [2, 0, 0, 0]);
    await makeContact(service, { tags: ['a', 'b', 'c'] });
    assert.deepEqual(await totals(), [3, 1, 1, 1]);
  });

  test('The total is exact after many concurrent writes', async () => {
    const before = await countContacts(service);
    const made = await Promise.all(
      Array.from({ length: 40 }, () => makeContact(service, { tags: ['crowd'] })),
    );
    assert.equal(await countContacts(service), before + 40);
    assert.equal(await countContacts(service, { tag: 'crowd' }), 40);
    await Promise.all(
      made.map(({ id }, at) =>
        at % 2
          ? service.delete(`/v1/contacts/${id}`)
          : service.patch(`/v1/contacts/${id}`, { tags: ['calm'] }),
      ),
    );
    assert.equal(await countContacts(service), before + 20);
    assert.equal(await countContacts(service, { tag: 'crowd' }), 0);
    assert.equal(await countContacts(service, { tag: 'calm' }), 20);
    assert.equal((await listContactIds(service, { tag: 'calm' })).length, 20);
  });
});
