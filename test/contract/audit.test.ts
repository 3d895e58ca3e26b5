import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { KeyScope } from '../../src/lib/scopes.ts';
import {
  type AuditReader,
  auditReader,
  countAuditEntries,
  entriesOfRequest,
} from '../kit/dashboard/audit.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { everyOperation, makeRecordSet, nameOf, pathOf } from '../kit/dashboard/operations.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { PASSWORD, signedInUser } from '../kit/dashboard/users.ts';
import { waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { sendEvent } from '../kit/webhooks/channel-hooks.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

/** Operations with a body that change nothing. */
const READS = [
  'POST /reads',
  'POST /merges',
  'PUT /notices/read',
  'PUT /session/workspace',
  'POST /imports/columns',
  'POST /agents/{id}/versions/{version}/render',
  'POST /agents/{id}/versions/{version}/chat',
];

onEveryEngine('Audit log', (service) => {
  let owner: CheckedUser;
  let ownerId: string;
  let entries: AuditReader;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    ownerId = (await owner.request('GET', '/session')).id;
    entries = auditReader(owner);
  });
  const plain = { subject: null, parent: null, fields: null, counts: null };
  const byMe = (entry: Json) => ({ actor: ownerId, ...plain, ...entry });
  const byKey = (entry: Json) => ({ actor: 'environment', ...plain, ...entry });
  const recorded = (reply: Reply) => entriesOfRequest(service, reply);

  test('The audit log starts with the records of the first start', async () => {
    const [first] = (await entries()).reverse();
    const start = { kind: 'start', id: null, name: null, deleted: false };
    const { at, ...rest } = first;
    assert.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual(rest, {
      actor: start,
      action: 'workspace.created',
      ...plain,
      changes: null,
      request_id: null,
      via: null,
    });
  });

  test('Contact entries name the actor, the action and the changed fields, without values', async () => {
    const made = await service.post('/v1/contacts', { phone_number: newPhone(), first_name: 'Grace' });
    const { id } = made.body.data;
    assert.deepEqual(await recorded(made), [byKey({ action: 'contact.created', subject: id })]);
    const path = `/v1/contacts/${id}`;
    const changed = await service.patch(path, { first_name: 'Grace', last_name: 'Hopper', tags: ['navy'] });
    const fields = ['last_name', 'tags'];
    assert.deepEqual(await recorded(changed), [byKey({ action: 'contact.updated', subject: id, fields })]);
    const same = await service.patch(path, {});
    assert.deepEqual(await recorded(same), [byKey({ action: 'contact.updated', subject: id, fields: [] })]);
    const [newest] = await entries('limit=1');
    assert.deepEqual(newest.subject, { id, name: 'Grace Hopper', deleted: false });
    assert.equal(newest.request_id, same.headers.get('x-request-id'));
    const gone = await owner.call('DELETE', `/contacts/${id}`);
    assert.deepEqual(await recorded(gone), [byMe({ action: 'contact.deleted', subject: id })]);
    const [last] = await entries('limit=1');
    assert.deepEqual(last.subject, { id, name: null, deleted: true });
    assert.deepEqual(last.actor, { kind: 'user', id: ownerId, name: 'owner@example.com', deleted: false });
  });

  test('A bulk operation has one audit entry with a count', async () => {
    const ids = [(await makeContact(service)).id, (await makeContact(service)).id];
    const run = async (job: Json) => {
      const reply = await owner.call('POST', '/bulk-jobs', { ...job, selection: { ids } });
      await waitForBulkJob(owner, reply.body.data.id);
      return reply;
    };
    const tagged = await run({ action: 'tag', add: ['both'] });
    const counts = { changed: 2 };
    const subject = tagged.body.data.id;
    assert.deepEqual(await recorded(tagged), [
      byMe({ action: 'contact.updated', subject, fields: ['tags'], counts }),
    ]);
    const gone = await run({ action: 'delete' });
    assert.deepEqual(await recorded(gone), [
      byMe({ action: 'contact.deleted', subject: gone.body.data.id, counts: { deleted: 2 } }),
    ]);
  });

  test('The audit log records changes to agents, versions and deploys', async () => {
    const made = await service.post('/v1/agents', { name: 'Ann', instructions: 'One.' });
    const { id } = made.body.data;
    const version = async () => (await service.get(`/v1/agents/${id}`)).body.data.versions[0].id;
    const first = await version();
    assert.deepEqual(await recorded(made), [
      byKey({ action: 'agent.created', subject: id }),
      byKey({ action: 'version.created', subject: first, parent: id }),
    ]);
    const instructionsChange = await service.patch(`/v1/agents/${id}`, { instructions: 'Two.' });
    const second = await version();
    const draft = byKey({ action: 'version.created', subject: second, parent: id });
    assert.deepEqual(await recorded(instructionsChange), [draft]);
    const named = await service.patch(`/v1/agents/${id}`, { name: 'Anna' });
    assert.deepEqual(await recorded(named), [
      byKey({ action: 'agent.updated', subject: id, fields: ['name'] }),
    ]);
    const deploy = () => owner.call('POST', `/agents/${id}/versions/${second}/deploy`, {});
    const deployed = byMe({ action: 'agent.deployed', subject: second, parent: id });
    assert.deepEqual(await recorded(await deploy()), [deployed]);
    assert.deepEqual(await recorded(await deploy()), [], 'it is deployed already');
    const [newest] = await entries('limit=1');
    assert.deepEqual(newest.subject, { id: second, name: 'v2', deleted: false });
    assert.deepEqual(newest.parent, { id, name: 'Anna', deleted: false });
    const gone = await service.delete(`/v1/agents/${id}`);
    assert.deepEqual(await recorded(gone), [byKey({ action: 'agent.deleted', subject: id })]);
    const [last] = await entries('limit=1');
    assert.deepEqual(last.subject, { id, name: 'Anna', deleted: true });
  });

  test('The audit log records changes to keys, users, settings and sessions, without secrets', async () => {
    const key = await owner.call('POST', '/keys', { name: 'Robot' });
    const { id, key: secret } = key.body.data;
    assert.deepEqual(await recorded(key), [byMe({ action: 'key.created', subject: id })]);
    const contact = await service.post('/v1/contacts', { phone_number: newPhone() }, { key: secret });
    const robot = { ...byKey({ action: 'contact.created', subject: contact.body.data.id }), actor: id };
    assert.deepEqual(await recorded(contact), [robot]);
    assert.deepEqual((await entries('limit=1'))[0].actor, { kind: 'key', id, name: 'Robot', deleted: false });
    const revoked = await owner.call('DELETE', `/keys/${id}`);
    assert.deepEqual(await recorded(revoked), [byMe({ action: 'key.revoked', subject: id })]);

    const invited = await owner.call('POST', '/users', { email: 'ada@example.com' });
    const ada = invited.body.data.id;
    assert.deepEqual(await recorded(invited), [
      byMe({ action: 'user.created', subject: ada }),
      byMe({ action: 'link.created', subject: ada }),
    ]);
    const token = invited.body.data.link.url_path.split('#')[1];
    const headers = { authorization: null };
    const entered = await service.post('/dashboard/api/session/link', { token }, { headers });
    const session = { ...byMe({ action: 'session.created', subject: ada }), actor: ada };
    assert.deepEqual(await recorded(entered), [session]);
    const wrong = { email: 'ada@example.com', password: 'not the password' };
    const refused = { action: 'session.refused', subject: ada, counts: { failures: 1 } };
    assert.deepEqual(await recorded(await service.post('/dashboard/api/session', wrong, { headers })), [
      { ...byMe(refused), actor: 'unknown' },
    ]);
    const role = await owner.call('PATCH', `/users/${ada}`, { role: 'owner' });
    assert.deepEqual(await recorded(role), [
      byMe({ action: 'user.updated', subject: ada, fields: ['role'] }),
    ]);
    const gone = await owner.call('DELETE', `/users/${ada}`);
    assert.deepEqual(await recorded(gone), [byMe({ action: 'user.deleted', subject: ada })]);
    const set = await owner.call('PATCH', '/settings', { default_country: 'GB' });
    assert.deepEqual(await recorded(set), [
      byMe({ action: 'settings.updated', fields: ['default_country'] }),
    ]);
    const zone = await owner.call('PATCH', '/settings', { time_zone: 'UTC' });
    assert.deepEqual(await recorded(zone), [byMe({ action: 'settings.updated', fields: ['time_zone'] })]);

    const all = JSON.stringify(await service.database.query('select * from audit_entries'));
    for (const hidden of [secret, token, PASSWORD, 'ada@example.com', 'Robot']) {
      assert.equal(all.includes(hidden), false, hidden);
    }
  });

  test('The audit log records channels, integrations and the changes that they make', async () => {
    const made = await owner.call('POST', '/channels', { kind: 'phone', name: 'Line', address: newPhone() });
    const channel = made.body.data;
    assert.deepEqual(await recorded(made), [byMe({ action: 'channel.created', subject: channel.id })]);
    const path = `/channels/${channel.id}`;
    const changed = await owner.call('PATCH', path, { name: 'Desk', platform_secret: 'a'.repeat(32) });
    const fields = ['name', 'platform_secret'];
    assert.deepEqual(await recorded(changed), [
      byMe({ action: 'channel.updated', subject: channel.id, fields }),
    ]);

    const call = { type: 'call', provider_id: 'one', direction: 'inbound', number: newPhone() };
    const event = await sendEvent(service, channel, call);
    const { id, contact_id } = event.body.data;
    const byChannel = (entry: Json) => ({ ...byMe(entry), actor: channel.id });
    assert.deepEqual(await recorded(event), [
      byChannel({ action: 'contact.created', subject: contact_id }),
      byChannel({ action: 'call.recorded', subject: id }),
    ]);
    const ended = await sendEvent(service, channel, { ...call, status: 'completed', seconds: 9 });
    const changedFields = ['status', 'ended_at', 'seconds'];
    assert.deepEqual(await recorded(ended), [
      byChannel({ action: 'call.updated', subject: id, fields: changedFields }),
    ]);
    const again = await sendEvent(service, channel, { ...call, status: 'completed', seconds: 9 });
    assert.deepEqual(await recorded(again), [], 'it was known');
    const gone = await owner.call('DELETE', path);
    assert.deepEqual(await recorded(gone), [byMe({ action: 'channel.deleted', subject: channel.id })]);

    const { id: crm, secret } = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const person = { phone_number: newPhone(), crm_ids: { hubspot: '4711' } };
    const received = await service.post(`/hooks/contacts/${crm}`, person, { key: secret });
    const subject = received.body.data.contact.id;
    const byCrm = (entry: Json) => ({ ...byMe(entry), actor: crm });
    assert.deepEqual(await recorded(received), [
      byCrm({ action: 'contact.created', subject }),
      byCrm({ action: 'contact.updated', subject, fields: ['crm_ids'] }),
    ]);
  });

  test('Every operation that changes data has an audit entry', async () => {
    const records = await makeRecordSet(service, owner);
    // A version that is not deployed yet, so that deploying it is a change.
    await owner.request('PATCH', `/agents/${records.agent.id}`, { instructions: 'Other words.' });
    const [version] = (await owner.request('GET', `/agents/${records.agent.id}`)).versions;
    for (const operation of everyOperation({ ...records, version })) {
      const reply = await owner.call(operation.method, pathOf(operation), operation.body);
      assert.ok(reply.status < 300, `${nameOf(operation)}: ${reply.text}`);
      const changes = operation.method !== 'GET' && !READS.includes(nameOf(operation));
      const found = await recorded(reply);
      assert.equal(found.length > 0, changes, nameOf(operation));
    }
    owner = await checkedUser(service, await signedInUser(service));
    entries = auditReader(owner);
    // Its records are written in the background.
    await eventually('the sample data is removed', async () => {
      const { state } = await owner.request('GET', '/sample-data');
      return state === 'none';
    });
  });

  test('A rejected request leaves no audit entry', async () => {
    const { id, phone_number } = await makeContact(service);
    const count = await countAuditEntries(service);
    const refusals = [
      service.post('/v1/contacts', { phone_number }),
      service.post('/v1/contacts', { phone_number: 'none' }),
      service.patch(`/v1/contacts/${id}`, { nonsense: true }),
      service.patch(`/v1/contacts/${id}`, { first_name: 'Eve' }, { headers: { 'if-match': '"other"' } }),
      service.delete('/v1/contacts/nobody'),
      service.post('/v1/contacts', { phone_number: newPhone() }, { key: 'rk_1_unknown' }),
      owner.call('POST', '/users', { email: 'owner@example.com' }),
      owner.call('DELETE', '/users/nobody'),
    ];
    for (const reply of await Promise.all(refusals)) assert.ok(reply.status >= 400, reply.text);
    assert.equal(await countAuditEntries(service), count);
  });

  test('The audit log is filtered by actor, record and action prefix, in pages', async () => {
    const { id } = await makeContact(service);
    await owner.request('PATCH', `/contacts/${id}`, { notes: 'Call back.' });
    const actions = (found: Json[]) => found.map(({ action }) => action);
    assert.deepEqual(actions(await entries(`subject=${id}`)), ['contact.updated', 'contact.created']);
    assert.deepEqual(actions(await entries(`subject=${id}&actor=${ownerId}`)), ['contact.updated']);
    assert.deepEqual(actions(await entries(`subject=${id}&actor=environment&action=contact.`)), [
      'contact.created',
    ]);
    assert.deepEqual(await entries(`subject=${id}&action=agent.`), []);
    assert.deepEqual(await entries('action=contact_created'), [], 'the filter has no wildcards');
    const page = await owner.call('GET', `/audit?subject=${id}&limit=1&offset=1`);
    assert.deepEqual(actions(page.body.data), ['contact.created']);
    assert.deepEqual(page.body.pagination, { total: 2, limit: 1, offset: 1, has_more: false });
    const past = await owner.call('GET', '/audit?offset=1000000');
    assert.deepEqual(past.body.data, []);
    for (const [query, expected] of [
      ['sort=at', ['contact.created', 'contact.updated']],
      ['sort=-at', ['contact.updated', 'contact.created']],
      ['sort=at&since=2000-01-01T00:00:00Z&limit=1', ['contact.created']],
    ] as const)
      assert.deepEqual(actions(await entries(`subject=${id}&${query}`)), expected, query);
    assertError(await owner.call('GET', '/audit?sort=action'), 400, 'VALIDATION_ERROR');
    assertError(await owner.call('GET', '/audit?limit=0'), 400, 'VALIDATION_ERROR');
    assertError(await owner.call('GET', '/audit?who=me'), 400, 'VALIDATION_ERROR');
    const agent = await owner.request('POST', '/agents', { name: 'Ann', instructions: 'One.' }, 201);
    assert.deepEqual(actions(await entries(`subject=${agent.id}`)), ['version.created', 'agent.created']);
  });

  test('Actions that an earlier version stored under other names have the names of their events', async () => {
    const former = ['version.deployed', 'call.created', 'webhook.tested'];
    const [own] = await service.database.query('select workspace_id from users where id = ?', ownerId);
    const row = (action: string, at: number) =>
      `(${own?.workspace_id}, ${900_000 + at}, '${new Date().toISOString()}', 'start', '${action}', 'former')`;
    await service.database.query(
      `insert into audit_entries (workspace_id, seq, at, actor, action, subject) values ${former.map(row).join()}`,
    );
    const shown = async (filter: string) =>
      (await entries(`subject=former${filter}`)).map(({ action }: Json) => action);
    assert.deepEqual(await shown(''), ['webhook.test', 'call.recorded', 'agent.deployed']);
    assert.deepEqual(await shown('&action=agent.deployed'), ['agent.deployed']);
    assert.deepEqual(await shown('&action=version.'), []);
    await service.database.query(`delete from audit_entries where subject = 'former'`);
  });

  test('A key sees names of contacts, emails of users and URLs of webhooks only with their scopes', async () => {
    const contact = await owner.request(
      'POST',
      '/contacts',
      { phone_number: newPhone(), display_name: 'Audited' },
      201,
    );
    const url = 'http://127.0.0.1:9/audited';
    const webhook = await owner.request('POST', '/webhooks', { url, status: 'paused' }, 201);
    const { email } = await owner.request('GET', '/session');
    const subjectsFor = async (...scopes: KeyScope[]) => {
      const all = ['audit:read', ...scopes];
      const { key } = await owner.request('POST', '/keys', { name: 'auditor', scopes: all }, 201);
      const entryOf = async ({ id }: Json) =>
        (await service.get(`/v1/audit?subject=${id}`, { key })).body.data[0];
      const [ofContact, ofWebhook] = [await entryOf(contact), await entryOf(webhook)];
      for (const { actor, subject } of [ofContact, ofWebhook])
        assert.deepEqual([actor.id, actor.deleted, subject.deleted], [ownerId, false, false]);
      return [ofContact.subject.name, ofContact.actor.name, ofWebhook.subject.name];
    };
    assert.deepEqual(await subjectsFor(), [null, null, null]);
    assert.deepEqual(await subjectsFor('contacts:read'), ['Audited', null, null]);
    assert.deepEqual(await subjectsFor('admin'), [null, email, url]);
  });

  test('Only owners can read the audit log, and only that of their workspace', async () => {
    const member = await signedInUser(service, 'member@example.com', 'member');
    assertError(await member.call('GET', '/audit'), 403, 'FORBIDDEN');
    assertError(await service.get('/v1/audit'), 403, 'FORBIDDEN');
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const theirs = await auditReader(otherOwner)();
    assert.deepEqual(
      theirs.map(({ action }) => action),
      ['session.created', 'user.created', 'workspace.created'],
    );
    assert.deepEqual(await auditReader(otherOwner)(`actor=${ownerId}`), []);
  });
});
