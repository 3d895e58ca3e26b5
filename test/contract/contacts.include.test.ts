import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { FULL_KEYS, keysOf, LISTED_KEYS } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Members that a request includes', (service) => {
  const crm_ids = { hubspot: '4711' };
  let made: Json;
  before(async () => {
    made = await makeContact(service, { first_name: 'Ada', tags: ['vip'] });
    const ids = JSON.stringify(crm_ids);
    await service.database.query('update contacts set crm_ids = ? where id = ?', ids, made.id);
    await makeContact(service);
  });

  for (const filter of ['', '&tag=vip', '&search=ada', '&sort=name', '&cursor=', '&has_tag=vip'])
    test(`A list with include=crm_ids${filter} shows the CRM ids of every contact`, async () => {
      const plain = await service.get(`/v1/contacts?limit=50${filter}`);
      const { status, body } = await service.get(`/v1/contacts?include=crm_ids${filter}`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.data,
        plain.body.data.map((contact: Json) => ({
          ...contact,
          crm_ids: contact.id === made.id ? crm_ids : {},
        })),
      );
      for (const contact of plain.body.data) assert.deepEqual(keysOf(contact), LISTED_KEYS);
    });

  test('A get with include=crm_ids equals one without it, and ignores other parameters', async () => {
    for (const path of [made.id, `by-phone/${made.phone_number}`]) {
      const plain = await service.get(`/v1/contacts/${path}?unknown=1`);
      const { status, body } = await service.get(`/v1/contacts/${path}?include=crm_ids`);
      assert.equal(status, 200);
      assert.deepEqual(body, plain.body);
      assert.deepEqual(keysOf(body.data), FULL_KEYS);
    }
  });

  test('A get with include=fields is not 304 after a field was archived', async () => {
    await makeField(service, 'shade', 'text');
    const { id, phone_number } = await makeContact(service, { fields: { shade: 'blue' } });
    const etag = (await service.get(`/v1/contacts/${id}?include=fields`)).headers.get('etag') ?? '';
    await service.database.query(`update contact_fields set archived_at = created_at where key = 'shade'`);
    const headers = { 'if-none-match': etag };
    for (const path of [id, `by-phone/${phone_number}`]) {
      const reply = await service.get(`/v1/contacts/${path}?include=fields`, { headers });
      assert.deepEqual([reply.status, reply.body.data?.fields], [200, {}], path);
      assert.equal((await service.get(`/v1/contacts/${path}`, { headers })).status, 304, path);
    }
    const change = { headers: { 'if-match': etag } };
    assert.equal((await service.call('PATCH', `/v1/contacts/${id}`, {}, change)).status, 200);
  });

  test('An unknown member returns 400 with the known ones', async () => {
    for (const path of ['', `/${made.id}`]) {
      const response = await service.get(`/v1/contacts${path}?include=crm_ids,notes_2`);
      const { details } = assertError(response, 400, 'VALIDATION_ERROR');
      assert.deepEqual(details, [
        { field: 'include', message: 'must name members, separated by commas: crm_ids, fields, identities.' },
      ]);
    }
  });
});
