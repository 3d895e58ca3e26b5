import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { assertTablesUnchanged, makeChannel, signedInOwner, tableRows } from '../kit/fixtures/agents.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { type Json, KEY, onSqlite } from '../kit/service/test-service.ts';

const TABLES = ['contacts', 'contact_tags', 'tallies', 'calls', 'integrations', 'hooks'];
const NONE = 'integration_01h455vb4pex5vsknk084sn02q';

onSqlite('Rejected integration webhooks', (service) => {
  let owner: CheckedUser;
  let crm: Json;
  let known: Json;
  before(async () => {
    owner = await signedInOwner(service);
    crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    known = await makeContact(service, { first_name: 'Ada', tags: ['vip'] });
  });
  const sendContact = (body: Json) => service.post(`/hooks/contacts/${crm.id}`, body, { key: crm.secret });

  test('An integration webhook rejects every wrong secret alike, for known and unknown integrations', async () => {
    const other = await owner.request('POST', '/integrations', { name: 'Other' }, 201);
    const channel = await makeChannel(owner);
    const secrets = [
      null,
      '',
      'Bearer',
      `Bearer ${other.secret}`,
      `Bearer ${crm.secret}x`,
      `Bearer ${crm.secret.slice(0, -1)}`,
      `Bearer ${KEY}`,
      `Bearer ${channel.secret}`,
      `Basic ${Buffer.from(`x:${crm.secret}`).toString('base64')}`,
    ];
    const answers: object[] = [];
    const before = await tableRows(service, ...TABLES);
    for (const id of [crm.id, channel.id, NONE, 'x', '%00', 'a'.repeat(300)]) {
      for (const authorization of secrets) {
        for (const body of [{ phone_number: newPhone() }, { phone_number: 'wrong', typo: 1 }]) {
          const reply = await service.post(`/hooks/contacts/${id}`, body, { headers: { authorization } });
          assertError(reply, 401, 'UNAUTHORIZED');
          assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
          // Whether the connection stays open depends on how much of the body had arrived.
          const { headers, ...answer } = comparableReply(reply);
          answers.push({ ...answer, headers: { ...headers, connection: '', 'keep-alive': '' } });
        }
      }
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.deepEqual(await tableRows(service, ...TABLES), before);
  });

  test('An integration webhook rejects sessions, and its secret authenticates nothing else', async () => {
    const headers = { authorization: null, cookie: owner.cookie, origin: service.url };
    const path = `/hooks/contacts/${crm.id}`;
    const call = () => service.post(path, { phone_number: newPhone() }, { headers });
    assertError(await assertTablesUnchanged(service, TABLES, call), 401, 'UNAUTHORIZED');
    const { secret: key } = crm;
    for (const open of [
      '/v1/contacts',
      '/v1/agents',
      `/v1/contacts/${known.id}`,
      '/dashboard/api/session',
      '/dashboard/api/contacts',
      '/v1/integrations',
      `/hooks/channels/${crm.id}/agent`,
    ]) {
      assertError(await service.get(open, { key }), 401, 'UNAUTHORIZED');
    }
  });

  test('An integration webhook rejects missing, invalid or unknown fields for new and known numbers', async () => {
    const map = (size: number) =>
      Object.fromEntries(Array.from({ length: size }, (_, at) => [`crm${at}`, '1']));
    for (const phone_number of [newPhone(), known.phone_number]) {
      const bad: [Json, ...string[]][] = [
        [{}, 'phone_number'],
        [{ crm_ids: { hubspot: '1' } }, 'phone_number'],
        [{ phone_number: null }, 'phone_number'],
        [{ phone_number: phone_number.slice(2) }, 'phone_number'],
        [{ phone_number: `${phone_number.slice(0, 5)} ${phone_number.slice(5)}` }, 'phone_number'],
        [{ phone_number, email: 'no address' }, 'email'],
        [{ phone_number, first_name: 'x'.repeat(101) }, 'first_name'],
        [{ phone_number, notes: 'x'.repeat(2001) }, 'notes'],
        [{ phone_number, tags: null }, 'tags'],
        [{ phone_number, tags: [''] }, 'tags[0]'],
        [{ phone_number, confirm_phone_change: true }, 'confirm_phone_change'],
        [{ phone_number, firstname: 'typo' }, 'firstname'],
        [{ phone_number, crm_ids: null }, 'crm_ids'],
        [{ phone_number, crm_ids: [] }, 'crm_ids'],
        [{ phone_number, crm_ids: 'x' }, 'crm_ids'],
        [{ phone_number, crm_ids: { hubspot: 5 } }, 'crm_ids.hubspot'],
        [{ phone_number, crm_ids: { hubspot: '' } }, 'crm_ids.hubspot'],
        [{ phone_number, crm_ids: { hubspot: {} } }, 'crm_ids.hubspot'],
        [{ phone_number, crm_ids: { hubspot: 'x'.repeat(256) } }, 'crm_ids.hubspot'],
        [{ phone_number, crm_ids: { hubspot: 'a\0' } }, 'crm_ids.hubspot'],
        [{ phone_number, crm_ids: { good: '1', bad: true } }, 'crm_ids.bad'],
        [{ phone_number, crm_ids: { '': '1' } }, 'crm_ids name'],
        [{ phone_number, crm_ids: { ['x'.repeat(65)]: '1' } }, 'crm_ids name'],
        [{ phone_number, crm_ids: map(51) }, 'crm_ids'],
        [{ phone_number, first_name: 7, crm_ids: { hubspot: '1' } }, 'first_name'],
      ];
      await assertTablesUnchanged(service, TABLES, async () => {
        for (const [body, ...fields] of bad) assertInvalid(await sendContact(body), ...fields);
      });
    }
  });

  test('An integration webhook rejects bodies that are too large or not a JSON object', async () => {
    const send = (raw: string, type = 'application/json') =>
      assertTablesUnchanged(service, TABLES, () =>
        service.call('POST', `/hooks/contacts/${crm.id}`, undefined, {
          raw,
          key: crm.secret,
          headers: { 'content-type': type },
        }),
      );
    for (const raw of [
      '',
      '{',
      '[]',
      'null',
      '"text"',
      '{"phone_number":"+14155550100","phone_number":"+14155550101"}',
    ]) {
      assertError(await send(raw), 400, 'VALIDATION_ERROR');
    }
    const body = JSON.stringify({ phone_number: newPhone() });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json']) {
      assertError(await send(body, type), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    const huge = JSON.stringify({ phone_number: newPhone(), notes: 'x'.repeat(65_536) });
    assertError(await send(huge), 413, 'PAYLOAD_TOO_LARGE');
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await service.call(method, `/hooks/contacts/${crm.id}`, undefined, { key: crm.secret });
      assertError(reply, 405, 'METHOD_NOT_ALLOWED');
    }
  });
});
