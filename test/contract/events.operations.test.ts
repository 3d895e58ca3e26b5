import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { keyScopes } from '../../src/lib/scopes.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeRecordSet, nameOf, pathOf } from '../kit/dashboard/operations.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeChannel } from '../kit/fixtures/agents.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { operationsOf } from '../kit/http/openapi.ts';
import { endOfCallReport, sendVapi } from '../kit/platforms/vapi.ts';
import { everyApiOperation } from '../kit/service/api-operations.ts';
import { followEvents } from '../kit/service/event-reader.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { onEveryEngine, type Reply } from '../kit/service/test-service.ts';
import { sendEvent, startSession } from '../kit/webhooks/channel-hooks.ts';

/** The types of the events that each operation writes in its request; none if it changes no record with events. A new
 *  operation that is not a read has to be listed here. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'POST /contacts': ['contact.created'],
  'PATCH /contacts/{id}': ['contact.updated'],
  'DELETE /contacts/{id}': ['call.updated', 'contact.deleted'],
  'POST /contacts/batch': ['contact.updated'],
  'PUT /contacts/by-phone/{phone}': ['contact.updated'],
  'POST /contacts/{id}/identities': ['contact.updated'],
  'PATCH /contacts/{id}/identities/{identity_id}': ['contact.updated'],
  'DELETE /contacts/{id}/identities/{identity_id}': ['contact.updated'],
  // A dry run.
  'POST /merges': [],
  'POST /merges/{id}/undo': ['contact.created', 'contact.unmerged', 'contact.updated'],
  // An export changes nothing. The steps of other jobs run after the request.
  'POST /bulk-jobs': [],
  'POST /bulk-jobs/{id}/cancel': [],
  'POST /bulk-jobs/{id}/undo': [],
  // Contacts do not change.
  'POST /duplicates/{id}/dismiss': [],
  'DELETE /duplicates/{id}/dismissal': [],
  'POST /agents': ['agent.created', 'version.created'],
  'POST /agents/{id}/duplicate': ['agent.created', 'version.created'],
  'PATCH /agents/{id}': ['agent.updated'],
  'PUT /agents/{id}/variables': ['agent.updated'],
  'POST /agents/{id}/versions': ['agent.updated', 'version.created'],
  'PUT /agents/{id}/config-schema': ['agent.updated'],
  'DELETE /agents/{id}/config-schema': ['agent.updated'],
  'DELETE /agents/{id}': ['agent.deleted', 'campaign.updated'],
  'POST /agents/{id}/versions/{version}/deploy': ['agent.deployed'],
  'POST /agents/{id}/versions/{version}/render': [],
  'POST /agents/{id}/rollback': ['agent.deployed'],
  'POST /channels': ['channel.created'],
  'PATCH /channels/{id}': ['channel.updated'],
  'PUT /channels/{id}/agent': ['channel.updated'],
  'DELETE /channels/{id}/agent': ['channel.updated'],
  'POST /channels/{id}/rotate-secret': ['channel.updated'],
  'DELETE /channels/{id}/old-secret': ['channel.updated'],
  'DELETE /channels/{id}': ['channel.deleted'],
  'POST /campaigns': ['campaign.created'],
  'PATCH /campaigns/{id}': ['campaign.updated'],
  'DELETE /campaigns/{id}': ['campaign.deleted'],
  'POST /campaigns/{id}/duplicate': ['campaign.created'],
  'PUT /campaigns/{id}/schedule': ['campaign.updated'],
  'POST /campaigns/{id}/enrollments': ['enrollment.created'],
  'PATCH /campaigns/{id}/enrollments/{contact}': ['enrollment.updated'],
  'DELETE /campaigns/{id}/enrollments/{contact}': ['enrollment.deleted'],
  'POST /campaigns/{id}/claims': ['enrollment.updated'],
  'POST /imports': ['import.created'],
  'POST /imports/columns': [],
  'PATCH /imports/{id}': ['import.updated'],
  'POST /imports/{id}/apply': ['import.updated'],
  'POST /imports/{id}/undo': ['import.updated'],
  'DELETE /imports/{id}': ['import.deleted'],
  'POST /hooks/channels/{id}/events': ['call.recorded', 'contact.created'],
  // The transcript changes the call that was just recorded.
  'POST /hooks/channels/{id}/platform': ['call.recorded', 'call.updated', 'contact.created'],
  // A session is no record of the API: its call is.
  'POST /hooks/channels/{id}/sessions': ['contact.created'],
  'POST /hooks/contacts/{id}': ['contact.created'],
  // Webhooks, keys, users, sessions, settings and integrations have no events. The audit log has their changes.
  'POST /webhooks': [],
  'PATCH /webhooks/{id}': [],
  'DELETE /webhooks/{id}': [],
  'POST /webhooks/{id}/rotate-secret': [],
  'DELETE /webhooks/{id}/old-secret': [],
  'POST /webhooks/{id}/replay': [],
  'DELETE /webhooks/{id}/replay': [],
  'POST /webhooks/{id}/test': [],
  'PATCH /calls/{id}': ['call.updated'],
  'PUT /calls/{id}/transcript': ['call.updated'],
  'PUT /call-settings': [],
  'PATCH /settings': [],
  'POST /integrations': [],
  'POST /integrations/{id}/rotate-secret': [],
  'DELETE /integrations/{id}/old-secret': [],
  'DELETE /integrations/{id}': [],
  'POST /keys': [],
  'DELETE /keys/{id}': [],
  'POST /users': [],
  'PATCH /users/{id}': [],
  'POST /users/{id}/link': [],
  'DELETE /users/{id}': [],
  'POST /reads': [],
  'POST /session': [],
  'POST /session/link': [],
  'PUT /session/password': [],
  'DELETE /session': [],
  'PUT /notices/read': [],
  'POST /fields': [],
  'PATCH /fields/{key}': [],
  'DELETE /fields/{key}': [],
  // Events of contacts drive audiences; a segment has none.
  'POST /segments': [],
  'PATCH /segments/{id}': [],
  'DELETE /segments/{id}': [],
  'POST /views': [],
  'PATCH /views/{id}': [],
  'DELETE /views/{id}': [],
  'PATCH /settings/name': [],
  'PUT /chat-model': [],
  'DELETE /chat-model': [],
  'POST /agents/{id}/versions/{version}/chat': [],
  'PATCH /integrations/{id}': [],
  'PUT /session/workspace': [],
  // Of another workspace.
  'POST /sample-data': [],
  'DELETE /sample-data': [],
  // A tool runs the operations of the others.
  'POST /mcp': [],
  'DELETE /mcp': [],
};

const PREFIX = /^\/(v1|dashboard\/api)(?=\/)/;

onEveryEngine('Events of every operation', (service) => {
  let owner: CheckedUser;
  let key: string;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    key = await createScopedKey(service.database, ...keyScopes);
  });

  it('Every documented operation that is not a read says which events it writes', async () => {
    const names = new Set<string>();
    for (const path of ['/openapi.json', '/dashboard/openapi.json']) {
      for (const name of operationsOf((await service.get(path)).body).keys()) {
        const [method = '', template = ''] = name.split(' ');
        if (method !== 'get') names.add(`${method.toUpperCase()} ${template.replace(PREFIX, '')}`);
      }
    }
    assert.deepEqual(
      [...names].filter((name) => !(name in EVENTS)),
      [],
      'add the operation to the table',
    );
    assert.ok(names.size > 40);
  });

  it('Every operation writes the events of its table', async () => {
    const records = await makeRecordSet(service, owner);
    const { agent, channel, integration } = records;
    // A version that is not deployed yet, so that deploying it is a change, and another one to roll back to.
    for (const instructions of ['Two.', 'Three.']) {
      await owner.request('PATCH', `/agents/${agent.id}`, { instructions });
    }
    await owner.request('POST', `/agents/${agent.id}/versions/v2/deploy`, {});
    const [version] = (await owner.request('GET', `/agents/${agent.id}`)).versions;
    // A contact that is not enrolled yet.
    await owner.request('POST', '/contacts', { phone_number: newPhone(), tags: ['world'] }, 201);
    const reader = await followEvents(
      await checkedUser(service, await signedInUser(service, 'reader@example.com')),
    );
    const seen = new Set<string>();
    const check = async (name: string, reply: Reply) => {
      assert.ok(reply.status < 300, `${name}: ${reply.text}`);
      const request = reply.headers.get('x-request-id');
      const types = (await reader.next()).flatMap((event) =>
        event.request_id === request ? [event.type] : [],
      );
      assert.deepEqual([...new Set(types)].sort(), EVENTS[name]?.toSorted(), name);
      seen.add(name);
    };
    const call = { type: 'call', provider_id: 'other', direction: 'inbound', number: newPhone() };
    await check('POST /hooks/channels/{id}/events', await sendEvent(service, channel, call));
    const start = { provider_id: 'other session', direction: 'inbound', number: newPhone() };
    await check('POST /hooks/channels/{id}/sessions', await startSession(service, channel, start));
    const line = await makeChannel(owner, { adapter: 'vapi' });
    await reader.next();
    const report = endOfCallReport('platform call', newPhone());
    await check('POST /hooks/channels/{id}/platform', await sendVapi(service, line, report));
    const person = { phone_number: newPhone() };
    const received = await service.post(`/hooks/contacts/${integration.id}`, person, {
      key: integration.secret,
    });
    await check('POST /hooks/contacts/{id}', received);
    const inApi = new Set(operationsOf((await service.get('/openapi.json')).body).keys());
    for (const operation of everyApiOperation({ ...records, version })) {
      if (operation.method === 'GET') continue;
      const path = pathOf(operation);
      const reply = inApi.has(`${operation.method.toLowerCase()} /v1${operation.path}`)
        ? await service.call(operation.method, `/v1${path}`, operation.body, { key })
        : await owner.call(operation.method, path, operation.body);
      await check(nameOf(operation), reply);
    }
    const unseen = Object.keys(EVENTS).filter((name) => !seen.has(name) && !name.endsWith('/mcp'));
    assert.deepEqual(unseen, []);
  });
});
