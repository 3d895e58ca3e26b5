import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { keyScopes } from '../../src/lib/scopes.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { isReplay, withIdempotencyKey } from '../kit/http/idempotency.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Idempotency keys of requests that return a secret', (service) => {
  let owner: CheckedUser;
  let key: string;
  before(async () => {
    owner = await signedInOwner(service);
    ({ key } = await owner.request('POST', '/keys', { name: 'All', scopes: keyScopes }, 201));
  });

  /** Each request, and the field of its response that is shown once. */
  const requests = async (): Promise<[path: string, body: object, secret: string, hasId: boolean][]> => {
    const channel = await makeChannel(owner);
    const integration = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const webhook = await owner.request('POST', '/webhooks', { url: 'https://example.com/' }, 201);
    const user = await owner.request('POST', '/users', { email: 'member@secrets.example' }, 201);
    return [
      ['/channels', { kind: 'phone', name: 'Line', address: newPhone() }, 'secret', true],
      [`/channels/${channel.id}/rotate-secret`, { grace_hours: 0 }, 'secret', true],
      ['/integrations', { name: 'Another' }, 'secret', true],
      [`/integrations/${integration.id}/rotate-secret`, { grace_hours: 0 }, 'secret', true],
      ['/webhooks', { url: 'https://example.com/', status: 'paused' }, 'secret', true],
      [`/webhooks/${webhook.id}/rotate-secret`, { grace_hours: 0 }, 'secret', true],
      ['/keys', { name: 'Made' }, 'key', true],
      ['/users', { email: 'invited@secrets.example' }, 'link', true],
      [`/users/${user.id}/link`, {}, 'url_path', false],
    ];
  };

  test('A retry of a request that returned a secret gets a 409 and runs nothing', async () => {
    for (const [at, [path, body, secret, hasId]] of (await requests()).entries()) {
      const options = { key, ...withIdempotencyKey(`secret ${at}`) };
      const first = await service.post(`/v1${path}`, body, options);
      assert.ok(first.status === 201 || first.status === 200, first.text);
      const found = first.body.data[secret];
      const shown = String(found.url_path ?? found).replace('/welcome#', '');
      assert.ok(shown.length > 20);
      const before = await service.database.query('select count(*) as count from audit_entries');
      const retry = await service.post(`/api/v1${path}`, body, options);
      assert.equal(retry.status, 409, retry.text);
      assert.ok(isReplay(retry));
      const { code, details, message } = retry.body.error;
      assert.equal(code, 'CONFLICT');
      assert.match(message, /shown only once/);
      assert.deepEqual(details, hasId ? { existing_id: first.body.data.id } : undefined);
      assert.deepEqual(await service.database.query('select count(*) as count from audit_entries'), before);
      const stored = JSON.stringify(await service.database.query('select * from retries'));
      assert.equal(stored.includes(shown), false, path);
    }
  });

  test('A rejected request that would return a secret is replayed with its error', async () => {
    const options = { key, ...withIdempotencyKey('unknown channel') };
    const path = '/v1/channels/channel_01890a5dac974b774cbcceb302/rotate-secret';
    const replies = [await service.post(path, {}, options), await service.post(path, {}, options)];
    for (const reply of replies) assert.equal(reply.status, 404, reply.text);
    assert.deepEqual(replies[1]?.body, replies[0]?.body);
  });
});
