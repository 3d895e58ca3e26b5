import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import { expireRenderings } from '../../src/features/agents/rendering.service.ts';
import type { KeyScope } from '../../src/lib/scopes.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import { recordCall, sendCallEvent } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Instructions of a call', (service) => {
  let owner: CheckedUser;
  let line: Json;
  before(async () => {
    owner = await signedInOwner(service);
    line = (await makeChannelWithAgent(service, owner, 'Hi {{first_name}}.')).channel;
  });
  const fetchText = async (number: string): Promise<Json> =>
    (
      await service.get(`/hooks/channels/${line.id}/agent?number=${encodeURIComponent(number)}`, {
        key: line.secret,
      })
    ).body.data;
  const instructionsOf = async (id: string) =>
    (await owner.request('GET', `/calls/${id}?include=instructions`)).instructions;
  const makeCall = async (first_name: string) => {
    const contact = await makeContact(service, { first_name });
    const { rendered: text, sha256 } = await fetchText(contact.phone_number);
    const call = await recordCall(service, line as never, contact.phone_number, {
      instructions_sha256: sha256,
    });
    return { contact, call, text, sha256 };
  };

  test('A call shows the text that its runtime has used, and its hash', async () => {
    const { contact, call, text, sha256 } = await makeCall('Ada');
    assert.equal(text, 'Hi Ada.');
    assert.equal(sha256, createHash('sha256').update(text).digest('hex'));
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: 'Eve' });
    assert.deepEqual(await instructionsOf(call.id), { sha256, text });
    const plain = await owner.request('GET', `/calls/${call.id}`);
    assert.ok(!('instructions' in plain));
    for (const query of ['', '?include=', '?other=1'])
      assert.deepEqual(await owner.request('GET', `/calls/${call.id}${query}`), plain);
    assertInvalid(await owner.call('GET', `/calls/${call.id}?include=text`), 'include');
  });

  test('A later event adds the hash, and none replaces it', async () => {
    const contact = await makeContact(service, { first_name: 'Late' });
    const { sha256 } = await fetchText(contact.phone_number);
    const provider_id = 'late-1';
    const call = await recordCall(service, line as never, contact.phone_number, { provider_id });
    assert.equal(await instructionsOf(call.id), null);
    const send = async (instructions_sha256: string) =>
      (
        await sendCallEvent(service, line as never, contact.phone_number, {
          provider_id,
          instructions_sha256,
        })
      ).body.data.effect;
    assert.equal(await send(sha256), 'updated');
    assert.equal(await send(sha256), 'none');
    assert.equal(await send('0'.repeat(64)), 'none');
    assert.deepEqual(await instructionsOf(call.id), { sha256, text: 'Hi Late.' });
  });

  test('An unknown hash has no text, and an invalid one gets 400', async () => {
    const contact = await makeContact(service);
    const sha256 = 'a'.repeat(64);
    const call = await recordCall(service, line as never, contact.phone_number, {
      instructions_sha256: sha256,
    });
    assert.deepEqual(await instructionsOf(call.id), { sha256, text: null });
    for (const instructions_sha256 of ['', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}\n`, 7])
      assertInvalid(
        await sendCallEvent(service, line as never, newPhone(), { instructions_sha256 }),
        'instructions_sha256',
      );
  });

  test('A deleted contact leaves neither the text nor the hash', async () => {
    const { contact, call, sha256, text } = await makeCall('Traceless');
    await service.delete(`/v1/contacts/${contact.id}`);
    assert.equal(await instructionsOf(call.id), null);
    for (const table of ['renderings', 'calls', 'events', 'audit_entries', 'contact_changes', 'retries']) {
      const rows = JSON.stringify(await service.database.query(`select * from ${table}`));
      assert.ok(!rows.includes(sha256) && !rows.includes(text), table);
    }
  });

  test('Texts expire with the timeline, and the hash remains', async () => {
    const { call, sha256 } = await makeCall('Expired');
    const { database } = service;
    const storage = await openTestStorage(database);
    await database.query(`update renderings set at = '2020-01-01T00:00:00.000Z' where sha256 = ?`, sha256);
    const [workspace] = await database.query(`select id from workspaces where name = 'default'`);
    const expiry = { workspace: Number(workspace?.id), before: '2021-01-01T00:00:00.000Z', ahead: '9999' };
    assert.equal(await storage.run(expireRenderings, null, expiry), 1);
    assert.equal(await storage.run(expireRenderings, null, expiry), 0);
    await storage.close();
    assert.deepEqual(await instructionsOf(call.id), { sha256, text: null });
  });

  test('A key needs the scopes of calls, agents and contacts', async () => {
    const { call } = await makeCall('Scoped');
    const get = async (...scopes: KeyScope[]) =>
      service.get(`/v1/calls/${call.id}?include=instructions`, {
        key: await createScopedKey(service.database, ...scopes),
      });
    for (const scope of ['agents:read', 'contacts:read'] as const)
      assertError(await get('calls:read', scope), 403, 'FORBIDDEN');
    assert.equal((await get('calls:read', 'agents:read', 'contacts:read')).status, 200);
  });
});
