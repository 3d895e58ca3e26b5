import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { entriesOfRequest } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { assertTablesUnchanged, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

const URL = 'https://example.com/webhooks';
const NONE = 'webhook_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Webhook endpoints', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  /** Paused, so that nothing is sent to the URL. */
  const make = (fields: Json = {}) =>
    owner.request('POST', '/webhooks', { url: URL, status: 'paused', ...fields }, 201);

  test('Fields of contacts in a webhook require contacts:read, also to change it', async () => {
    const scopes = ['admin', 'events:read'] as const;
    const may = await createScopedKey(service.database, ...scopes, 'contacts:read');
    const mayNot = await createScopedKey(service.database, ...scopes);
    const fields = { url: URL, status: 'paused', include: ['fields'] };
    const refuse = (reply: Reply) =>
      assert.equal((assertError(reply, 403, 'FORBIDDEN').details as Json).required_scope, 'contacts:read');
    refuse(await service.post('/v1/webhooks', fields, { key: mayNot }));
    const { body } = await service.post('/v1/webhooks', fields, { key: may });
    const path = `/v1/webhooks/${body.data.id}`;
    refuse(await service.patch(path, { url: `${URL}/mine` }, { key: mayNot }));
    const without = await service.patch(path, { include: [] }, { key: mayNot });
    assert.deepEqual([without.status, without.body.data.include], [200, []]);
    refuse(await service.patch(path, { include: ['fields'] }, { key: mayNot }));
  });

  test('A new webhook has defaults, and its secret is shown only once', async () => {
    const reply = await owner.call('POST', '/webhooks', { url: URL, status: 'paused' });
    const { secret, ...webhook } = reply.body.data;
    assert.equal(reply.headers.get('location'), `/v1/webhooks/${webhook.id}`);
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    const { id, created_at, updated_at, ...rest } = webhook;
    assert.match(id, /^webhook_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      url: URL,
      description: null,
      types: null,
      tag: null,
      agent_id: null,
      campaign_id: null,
      payload: 'snapshot',
      include: [],
      ordered: false,
      max_concurrency: 10,
      rate_per_second: null,
      status: 'paused',
      disabled_reason: null,
      old_secret_expires_at: null,
      failing_since: null,
      last_delivery_at: null,
      pending_deliveries: 0,
      failed_deliveries: 0,
      replay: null,
    });
    const shown = await owner.call('GET', `/webhooks/${id}`);
    assert.deepEqual(shown.body.data, webhook);
    assert.equal(shown.headers.get('etag'), reply.headers.get('etag'));
    assert.deepEqual(
      (await entriesOfRequest(service, reply)).map(({ action }: Json) => action),
      ['webhook.created'],
    );
    const stored = JSON.stringify(await service.database.query('select * from webhook_endpoints'));
    assert.equal(stored.includes(secret.slice(10)), false, 'the secret is encrypted');
    assert.equal(service.log.join('').includes(secret.slice(10)), false);
  });

  test('An update changes only the given fields, and a record that was read can be sent back', async () => {
    const agent = await owner.request('POST', '/agents', { name: 'Ann', instructions: 'One.' }, 201);
    const { secret: _, ...webhook } = await make();
    const path = `/webhooks/${webhook.id}`;
    const types = ['contact.created', 'contact.deleted'];
    const changes = {
      types,
      agent_id: agent.id,
      tag: 'vip',
      payload: 'thin',
      include: ['fields'],
      ordered: true,
      rate_per_second: 5,
    };
    const reply = await owner.call('PATCH', path, changes);
    assert.deepEqual(reply.body.data, { ...webhook, ...changes, updated_at: reply.body.data.updated_at });
    const [entry] = await entriesOfRequest(service, reply);
    assert.equal(entry.action, 'webhook.updated');
    const fields = ['types', 'tag', 'agent_id', 'payload', 'include', 'ordered', 'rate_per_second'];
    assert.deepEqual(entry.fields, fields);
    const same = await owner.request('PATCH', path, reply.body.data);
    assert.deepEqual(same, { ...reply.body.data, updated_at: same.updated_at });
    const cleared = await owner.request('PATCH', path, { types: null, tag: null, agent_id: null });
    assert.deepEqual([cleared.types, cleared.tag, cleared.agent_id], [null, null, null]);
    const stale = { 'If-Match': '"old"' };
    assertError(await owner.call('PATCH', path, {}, { headers: stale }), 412, 'PRECONDITION_FAILED');
  });

  test('Invalid webhooks are rejected with what to send instead, and nothing changes', async () => {
    const { id } = await make();
    await assertTablesUnchanged(service, ['webhook_endpoints'], async () => {
      for (const [url, message] of [
        ['ftp://example.com', /Send an absolute URL/],
        ['https://user@example.com/', /Remove the user name/],
        ['https://10.0.0.1/', /is not public/],
        ['', /at least 1 character/],
      ] as const) {
        for (const [method, path] of [
          ['POST', '/webhooks'],
          ['PATCH', `/webhooks/${id}`],
        ] as const) {
          const reply = await owner.call(method, path, { url });
          assertInvalid(reply, 'url');
          assert.match(reply.body.error.message, message);
        }
      }
      for (const [field, value] of [
        ['types', []],
        ['types[0]', ['contact.exploded']],
        ['types[0]', ['webhook.test']],
        ['max_concurrency', 0],
        ['max_concurrency', 101],
        ['rate_per_second', 0],
        ['payload', 'thick'],
        ['include', 'fields'],
        ['include[0]', ['notes']],
        ['status', 'disabled'],
        ['agent_id', 'Ann'],
        ['tag', ''],
        ['secret', 'mine'],
      ] as const)
        assertInvalid(
          await owner.call('POST', '/webhooks', { url: URL, [field.replace('[0]', '')]: value }),
          field,
        );
      assertInvalid(await owner.call('POST', '/webhooks', {}), 'url');
      const none = '01890a5d-ac97-7b77-8cbc-ceb302ee3a1b';
      assertError(await owner.call('POST', '/webhooks', { url: URL, agent_id: none }), 404, 'NOT_FOUND');
      assertError(await owner.call('POST', '/webhooks', { url: URL, campaign_id: none }), 404, 'NOT_FOUND');
    });
  });

  test('Rotating the secret signs with both for the grace period, and revoking ends it', async () => {
    const { id, secret } = await make();
    const path = `/webhooks/${id}`;
    const rotated = await owner.request('POST', `${path}/rotate-secret`, { grace_hours: 2 });
    assert.notEqual(rotated.secret, secret);
    assert.ok(rotated.old_secret_expires_at > new Date().toISOString());
    assertError(await owner.call('POST', `${path}/rotate-secret`, {}), 409, 'CONFLICT');
    await owner.request('POST', `${path}/rotate-secret`, { replace_new: true });
    assert.equal((await owner.request('DELETE', `${path}/old-secret`)).old_secret_expires_at, null);
  });

  test('A replay needs exactly one of an event, a range and failed', async () => {
    const { id } = await make();
    const path = `/webhooks/${id}/replay`;
    for (const body of [
      {},
      { event_id: 'x', failed: true },
      { since: '2026-01-01T00:00:00Z', failed: true },
      { until: '2026-01-01T00:00:00Z' },
      { failed: false },
      { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' },
      { event_id: 'event_1' },
    ])
      assertError(await owner.call('POST', path, body), 400, 'VALIDATION_ERROR');
    assert.deepEqual(await owner.request('POST', path, { failed: true }), { events: 0 });
    await makeContact(service);
    const { after: event_id } = await owner.request('GET', '/events?after=latest');
    assert.deepEqual(await owner.request('POST', path, { event_id }), { events: 1 });
    assert.equal((await owner.request('GET', `/webhooks/${id}`)).pending_deliveries, 1);
    const second = await make();
    const range = { since: '2020-01-01T00:00:00Z' };
    const { events } = await owner.request('POST', `/webhooks/${second.id}/replay`, range);
    assert.ok(events >= 1);
    const running = await owner.request('GET', `/webhooks/${second.id}`);
    assert.deepEqual(running.replay, { remaining: events });
    assertError(await owner.call('POST', `/webhooks/${second.id}/replay`, range), 409, 'CONFLICT');
    assert.equal((await owner.request('DELETE', `/webhooks/${second.id}/replay`)).replay, null);
    const later = { since: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' };
    assert.deepEqual(await owner.request('POST', `/webhooks/${second.id}/replay`, later), { events: 0 });
  });

  test('A workspace can have 100 webhooks, and a deleted one leaves nothing behind', async () => {
    const { pagination } = (await owner.call('GET', '/webhooks?limit=1')).body;
    // One after the other: on a busy machine, a hundred that wait for the same lock take longer than a request may wait.
    const made: Json[] = [];
    while (pagination.total + made.length < 100) made.push(await make());
    const full = await owner.call('POST', '/webhooks', { url: URL });
    assertError(full, 409, 'CONFLICT');
    assert.match(full.body.error.message, /can have 100 webhooks/);
    assert.equal((await owner.call('GET', '/webhooks?limit=1&status=paused')).body.pagination.total, 100);
    assert.equal((await owner.call('GET', '/webhooks?limit=1&status=disabled')).body.pagination.total, 0);
    for (const { id } of made) await owner.request('DELETE', `/webhooks/${id}`);
    assertError(await owner.call('GET', `/webhooks/${made[0].id}`), 404, 'NOT_FOUND');
  });

  test('Only owners manage webhooks, and unknown ids are 404', async () => {
    const member = await signedInUser(service, 'member@example.com', 'member');
    assertError(await member.call('GET', '/webhooks'), 403, 'FORBIDDEN');
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/attempts'],
      ['GET', '/attempts/1'],
      ['DELETE', '/replay'],
      ['DELETE', '/old-secret'],
    ] as const)
      assertError(await owner.call(method, `/webhooks/${NONE}${path}`), 404, 'NOT_FOUND');
    const { id } = await make();
    for (const number of ['1', '0', '-1', 'x', '9'.repeat(20)])
      assertError(await owner.call('GET', `/webhooks/${id}/attempts/${number}`), 404, 'NOT_FOUND');
    assertInvalid(await owner.call('GET', `/webhooks/${id}/attempts?result=maybe`), 'result');
  });
});
