import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook } from '../kit/webhooks/channel-hooks.ts';

const TEXT = 'Hi {{first_name|there}}, {{plan}}.';
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

onEveryEngine('Rendered instructions of a channel', (service) => {
  let owner: CheckedUser;
  let line: Json;
  before(async () => {
    owner = await signedInOwner(service);
    await makeField(service, 'plan', 'text');
    line = await makeChannelWithAgent(service, owner, TEXT);
  });
  const get = (query: string, headers: Record<string, string> = {}) =>
    service.get(`/hooks/channels/${line.channel.id}/agent${query}`, { key: line.channel.secret, headers });
  const stored = (contact: string) =>
    service.database.query('select sha256, version_id, used from renderings where contact_id = ?', contact);

  test('A runtime gets the contact of a number in any format, and the instructions for it', async () => {
    const contact = await makeContact(service, {
      phone_number: '+14155550131',
      first_name: 'Ada',
      fields: { plan: 'gold' },
    });
    const shown = (await service.get(`/v1/contacts/${contact.id}?include=fields`)).body.data;
    const rendered = 'Hi Ada, gold.';
    const expected = {
      agent_id: line.agent,
      version_id: line.version,
      version_label: 'v1',
      instructions: TEXT,
      config: {},
      config_sha256: sha256('{}'),
      contact: shown,
      rendered,
      holes: [],
      sha256: sha256(rendered),
    };
    for (const number of ['+14155550131', '%2B14155550131', '%2B1%20(415)%20555-0131', '0014155550131']) {
      const reply = await get(`?number=${number}`);
      assert.deepEqual([reply.status, reply.body.data], [200, expected], number);
    }
    const row = {
      sha256: sha256(rendered),
      version_id: line.version,
      used: '{"first_name":"Ada","plan":"gold"}',
    };
    assert.deepEqual(
      (await stored(contact.id)).map((each) => ({ ...each })),
      [row],
    );
    await service.delete(`/v1/contacts/${contact.id}`);
    assert.deepEqual(await stored(contact.id), []);
  });

  test('An unknown, withheld or invalid number has no contact and no values', async () => {
    for (const number of ['%2B14155550132', '', 'anonymous', 'Restricted', '12345', '%F0%9F%98%80']) {
      const { contact, rendered, holes, sha256: hash } = (await get(`?number=${number}`)).body.data;
      assert.deepEqual([contact, rendered, holes], [null, 'Hi there, .', ['plan']], number);
      assert.equal(hash, sha256(rendered));
    }
    assertInvalid(await get(`?number=${'1'.repeat(65)}`), 'number');
    assertInvalid(await get('?number=1&number=2'), 'number');
  });

  test('Without a number the response and its ETag are those of the version', async () => {
    for (const query of ['', '?other=1']) {
      const reply = await get(query);
      assert.deepEqual(reply.body.data, {
        agent_id: line.agent,
        version_id: line.version,
        version_label: 'v1',
        instructions: TEXT,
        config: {},
        config_sha256: sha256('{}'),
      });
      assert.equal(reply.headers.get('etag'), `"${line.version}"`);
    }
    assert.deepEqual((await getAgentFromHook(service, line.channel)).text, (await get('')).text);
  });

  test('The ETag changes with the values of the contact', async () => {
    const contact = await makeContact(service, { phone_number: '+14155550133', first_name: 'Ada' });
    const query = '?number=%2B14155550133';
    const first = (await get(query)).headers.get('etag') ?? '';
    assert.notEqual(first, `"${line.version}"`);
    assert.equal((await get(query, { 'if-none-match': first })).status, 304);
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: 'Eve' });
    const changed = await get(query, { 'if-none-match': first });
    assert.deepEqual([changed.status, changed.body.data.rendered], [200, 'Hi Eve, .']);
    assert.equal((await stored(contact.id)).length, 2, 'each text is stored once');
    await get(query);
    assert.equal((await stored(contact.id)).length, 2);
  });

  test('Neither a key nor the secret of another channel gets contacts', async () => {
    const other = await makeChannelWithAgent(service, owner, TEXT);
    const path = `/hooks/channels/${line.channel.id}/agent?number=%2B14155550133`;
    for (const key of [undefined, other.channel.secret])
      assertError(await service.get(path, key === undefined ? {} : { key }), 401, 'UNAUTHORIZED');
  });
});
