import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { FULL_KEYS, getContact, keysOf, LISTED_KEYS } from '../kit/fixtures/contacts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError, TIMESTAMP } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

/** The UUID that a token encodes. */
const uuidOf = (token: string): string => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  let bits = 0n;
  for (const digit of token.slice('contact_'.length)) bits = bits * 32n + BigInt(alphabet.indexOf(digit));
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

onEveryEngine('Contact get', (service) => {
  let made: Json;
  before(async () => {
    made = await makeContact(service, { first_name: 'Ada', tags: ['b', 'a'] });
  });

  test('Getting a contact returns 200 with exactly the documented fields and its CRM ids', async () => {
    for (const prefix of ['/v1', '/api/v1']) {
      const { status, body } = await service.get(`${prefix}/contacts/${made.id}`);
      assert.equal(status, 200);
      assert.deepEqual(keysOf(body), ['data', 'success']);
      assert.equal(body.success, true);
      assert.deepEqual(keysOf(body.data), FULL_KEYS);
      assert.deepEqual(body.data.crm_ids, {});
      for (const field of FULL_KEYS.filter((key) => key.endsWith('_at')))
        assert.match(body.data[field], TIMESTAMP);
    }
  });

  test('A contact is found by its token and by its UUID in either case', async () => {
    const expected = await getContact(service, made.id);
    const uuid = uuidOf(made.id);
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(await getContact(service, uuid), expected);
    assert.deepEqual(await getContact(service, uuid.toUpperCase()), expected);
    assert.equal(expected.id, made.id);
  });

  test('Only a get shows the CRM ids, and an update keeps them', async () => {
    const { id } = await makeContact(service);
    const crm_ids = { hubspot: '4711', 'sales "force"': '00Q😀' };
    await service.database.query('update contacts set crm_ids = ? where id = ?', JSON.stringify(crm_ids), id);
    assert.deepEqual((await getContact(service, id)).crm_ids, crm_ids);
    const updated = await service.patch(`/v1/contacts/${id}`, { first_name: 'Ada', crm_ids: {} });
    assert.deepEqual(keysOf(updated.body.data), LISTED_KEYS);
    assert.deepEqual((await getContact(service, id)).crm_ids, crm_ids);
    const { body } = await service.get('/v1/contacts');
    for (const contact of body.data) assert.deepEqual(keysOf(contact), LISTED_KEYS);
  });

  test('An id that matches no contact returns 404 for every method', async () => {
    const token = made.id.slice('contact_'.length);
    const uuid = uuidOf(made.id);
    const names = [
      'contact_01h455vb4pex5vsknk084sn02q',
      '01890a5d-ac96-774b-bcce-b302099a8057',
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      made.id.toUpperCase(),
      `contact_${token.toUpperCase()}`,
      `contact_8${token.slice(1)}`,
      `contact_${token}0`,
      `contact_${token.slice(1)}`,
      `contact_${token.slice(0, -1)}u`,
      `contact-${token}`,
      `agent_${token}`,
      `contact_${uuid}`,
      token,
      uuid.replaceAll('-', ''),
      `{${uuid}}`,
      `urn:uuid:${uuid}`,
      `${made.id} `,
      ` ${made.id}`,
      `${made.id}\n`,
      `${made.id}\0`,
      `${uuid}\n`,
      'x',
      '0',
      '-1',
      'null',
      '😀',
      `' or '1'='1`,
      '%',
      'a'.repeat(2000),
    ];
    const expected = assertError(await service.get(`/v1/contacts/${names[0]}`), 404, 'NOT_FOUND');
    for (const name of names) {
      const path = `/v1/contacts/${encodeURIComponent(name)}`;
      const replies = [
        await service.get(path),
        await service.patch(path, { first_name: 'Eve' }),
        await service.delete(path),
      ];
      for (const reply of replies) {
        const { message, details } = assertError(reply, 404, 'NOT_FOUND');
        assert.equal(message, expected.message, name);
        assert.equal(details, undefined);
      }
    }
    assert.equal((await getContact(service, made.id)).first_name, 'Ada');
  });

  test('A contact path that is not UTF-8 returns 404', async () => {
    assertError(await service.get('/v1/contacts/%E0%A4%A'), 404, 'NOT_FOUND');
    assertError(await service.get('/v1/contacts/%ff'), 404, 'NOT_FOUND');
  });
});
