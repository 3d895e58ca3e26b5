import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { markDeployed } from '../kit/fixtures/deploy-version.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const UNKNOWN_CONTACT = 'contact_01h455vb4pex5vsknk084sn02q';
const UNKNOWN_UUID = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The UUID that a contact's token encodes. */
const uuidOf = (token: string): string => {
  let bits = 0n;
  for (const digit of token.slice('contact_'.length)) {
    bits = bits * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit));
  }
  return bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

onEveryEngine('Isolation of workspaces', (service) => {
  const phone = newPhone();
  let key: string;
  let contact: Json;
  let agent: Json;
  let snapshot: string;

  const readOtherWorkspace = async () =>
    JSON.stringify([
      (await service.get(`/v1/contacts/${contact.id}`)).body,
      (await service.get(`/v1/agents/${agent.id}`)).body,
    ]);

  before(async () => {
    const storage = await openTestStorage(service.database);
    key = (await makeWorkspace(storage)).key;
    await storage.close();
    contact = await makeContact(service, {
      phone_number: phone,
      first_name: 'Hidden',
      email: 'hidden@example.com',
      tags: ['vip'],
    });
    agent = await makeAgent(service, { name: 'Hidden', instructions: 'secret' });
    await markDeployed(service.database, agent.id, 1);
    snapshot = await readOtherWorkspace();
  });

  for (const prefix of ['/v1', '/api/v1']) {
    for (const [method, body] of [
      ['GET', undefined],
      ['HEAD', undefined],
      ['PATCH', {}],
      ['PATCH', { first_name: 'Stolen' }],
      ['PATCH', { phone_number: '+12025550199', confirm_phone_change: true }],
      ['PATCH', { unknown: 1 }],
      ['DELETE', undefined],
    ] as const) {
      it(`A contact of another workspace is not found by ${method} ${prefix} ${JSON.stringify(body) ?? ''}`, async () => {
        const callWith = (id: string) => service.call(method, `${prefix}/contacts/${id}`, body, { key });
        for (const [theirs, nobodys] of [
          [contact.id, UNKNOWN_CONTACT],
          [uuidOf(contact.id), UNKNOWN_UUID],
          [uuidOf(contact.id).toUpperCase(), UNKNOWN_UUID.toUpperCase()],
        ]) {
          const reply = await callWith(theirs);
          assert.deepEqual(comparableReply(reply), comparableReply(await callWith(nobodys)));
          assert.equal(reply.status, body && 'unknown' in body ? 400 : 404);
        }
      });
    }

    for (const [method, body] of [
      ['GET', undefined],
      ['HEAD', undefined],
      ['PATCH', {}],
      ['PATCH', { name: 'Stolen' }],
      ['PATCH', { instructions: 'Stolen' }],
      ['PATCH', { unknown: 1 }],
      ['DELETE', undefined],
    ] as const) {
      it(`An agent of another workspace is not found by ${method} ${prefix} ${JSON.stringify(body) ?? ''}`, async () => {
        const callWith = (id: string) => service.call(method, `${prefix}/agents/${id}`, body, { key });
        for (const change of [(id: string) => id, (id: string) => id.toUpperCase()]) {
          const reply = await callWith(change(agent.id));
          assert.deepEqual(comparableReply(reply), comparableReply(await callWith(change(UNKNOWN_UUID))));
          assert.equal(reply.status, body && 'unknown' in body ? 400 : 404);
        }
      });
    }
  }

  it('Records of another workspace are in no list, search, tag or total', async () => {
    for (const path of [
      '/v1/contacts',
      '/v1/contacts?limit=100&offset=0',
      '/v1/contacts?offset=5000',
      '/v1/contacts?tag=vip',
      '/v1/contacts?search=hidden',
      '/v1/contacts?search=hi',
      '/v1/contacts?search=h&tag=vip',
      '/v1/contacts?search=hidden&tag=vip',
      `/v1/contacts?search=${encodeURIComponent(phone)}`,
      `/v1/contacts?search=${phone.slice(-4)}`,
      '/v1/agents',
      '/v1/agents?offset=5000',
    ]) {
      const { body } = await service.get(path, { key });
      assert.deepEqual(body.data, [], path);
      assert.equal(body.pagination.total, 0, path);
      assert.equal(body.pagination.has_more, false, path);
    }
    assert.equal((await service.get('/v1/contacts?search=hidden&tag=vip')).body.pagination.total, 1);
  });

  it('A phone number can be used in each workspace', async () => {
    const mine = await service.post('/v1/contacts', { phone_number: phone }, { key });
    assert.equal(mine.status, 201, mine.text);
    const again = await service.post('/v1/contacts', { phone_number: phone }, { key });
    const error = assertError(again, 409, 'CONFLICT');
    assert.deepEqual(error.details, { existing_contact_id: mine.body.data.id });
    assert.equal(again.text.includes(contact.id), false);
    const other = await service.post('/v1/contacts', { phone_number: newPhone() }, { key });
    const moved = await service.patch(`/v1/contacts/${other.body.data.id}`, { phone_number: phone }, { key });
    assert.deepEqual(assertError(moved, 409, 'CONFLICT').details, {
      existing_contact_id: mine.body.data.id,
    });
    const gone = await service.delete(`/v1/contacts/${mine.body.data.id}`, { key });
    assert.equal(gone.status, 200);
  });

  it('Totals count only the records of their own workspace', async () => {
    const [mine, theirs] = [
      (await service.get('/v1/contacts', { key })).body.pagination.total,
      (await service.get('/v1/contacts')).body.pagination.total,
    ];
    await service.post('/v1/contacts', { phone_number: newPhone(), tags: ['vip'] }, { key });
    await service.post('/v1/agents', { name: 'Mine', instructions: '' }, { key });
    assert.equal((await service.get('/v1/contacts', { key })).body.pagination.total, mine + 1);
    assert.equal((await service.get('/v1/contacts')).body.pagination.total, theirs);
    assert.equal((await service.get('/v1/contacts?tag=vip')).body.pagination.total, 1);
    assert.equal((await service.get('/v1/contacts?tag=vip', { key })).body.pagination.total, 1);
    assert.equal((await service.get('/v1/agents')).body.pagination.total, 1);
    assert.equal((await service.get('/v1/agents', { key })).body.data[0].name, 'Mine');
  });

  it('Sending the id of a record does not take it over from another workspace', async () => {
    const sent = { id: contact.id, phone_number: newPhone() };
    const made = await service.post('/v1/contacts', sent, { key });
    assert.equal(made.status, 201);
    assert.notEqual(made.body.data.id, contact.id);
    const fields = { id: agent.id, name: 'Mine', instructions: '' };
    assert.notEqual((await service.post('/v1/agents', fields, { key })).body.data.id, agent.id);
  });

  it('A record of another workspace is unchanged after all of these requests', async () => {
    assert.equal(await readOtherWorkspace(), snapshot);
  });
});
