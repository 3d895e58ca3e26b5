import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { timelineKinds } from '../../src/features/timeline/timeline.schema.ts';
import { type KeyScope, keyScopes } from '../../src/lib/scopes.ts';
import { expireChanges } from '../../src/records/expiry.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { campaignApi } from '../kit/fixtures/campaigns.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const OWNER = 'owner@example.com';
const NOTHING = 'contact_01h455vb4pex5vsknk084sn02q';

onEveryEngine('The timeline of a contact', (service) => {
  let owner: CheckedUser;
  let member: CheckedUser;
  let agent: Json;
  let line: TestChannel;
  let campaign: Json;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service, OWNER));
    member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
    agent = await makeDeployedAgent(owner, 'Desk');
    line = await makePhoneChannel(owner, agent);
    campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
  });

  const make = (fields: object = {}): Promise<Json> =>
    owner.request('POST', '/contacts', { phone_number: newPhone(), ...fields }, 201);
  const page = (id: string, query = '', user = owner): Promise<Json> =>
    user.request('GET', `/contacts/${id}/timeline${query}`);
  const entriesOf = async (id: string, query = '?limit=100'): Promise<Json[]> =>
    (await page(id, query)).entries;
  const actionsOf = async (id: string, query?: string) =>
    (await entriesOf(id, query)).map(({ kind, action }) => `${kind} ${action}`);

  test('A new contact names who created it, and by what', async () => {
    const manual = await make();
    const [entry, ...rest] = await entriesOf(manual.id);
    assert.deepEqual(rest, []);
    assert.equal(entry?.at, manual.created_at);
    assert.deepEqual(entry, {
      id: manual.id,
      at: manual.created_at,
      kind: 'edit',
      action: 'contact.created',
      actor: { kind: 'user', id: entry?.actor.id, name: OWNER, deleted: false },
      source: 'manual',
      fields: null,
      changes: null,
      tags: null,
      enrollment: null,
      call: null,
      request_id: null,
    });
    const [byKey] = await entriesOf((await makeContact(service)).id);
    assert.deepEqual([byKey?.actor.kind, byKey?.source], ['environment', 'api']);

    const call = await recordCall(service, line, newPhone());
    const inbound = await entriesOf(call.contact_id);
    const created = inbound.find(({ action }) => action === 'contact.created');
    assert.deepEqual(
      [created?.actor.kind, created?.actor.name, created?.source],
      ['channel', 'Line', 'inbound'],
    );
    assert.equal(inbound.find(({ kind }) => kind === 'call')?.call.id, call.id);

    const number = newPhone();
    const { id } = await planCsv(owner, `Phone,Company,Tags\n${number},One,a\n`);
    await applyImport(owner, id);
    const imported = (await owner.call('GET', `/contacts?search=${encodeURIComponent(number)}`)).body.data[0];
    const [byImport] = await entriesOf(imported.id);
    assert.deepEqual([byImport?.kind, byImport?.actor.kind, byImport?.actor.id], ['import', 'import', id]);
  });

  test('Edits name their fields, and tags have an entry of their own', async () => {
    const { id } = await make({ tags: ['a', 'b'] });
    await owner.request('PATCH', `/contacts/${id}`, { company: 'One', tags: ['b', 'c'] });
    await runBulkJob(owner, { action: 'tag', selection: { ids: [id] }, add: ['d'], remove: ['b'] });
    await owner.request('PATCH', `/contacts/${id}`, { first_name: 'Ada', notes: 'Likes tea.' });
    await owner.request('PATCH', `/contacts/${id}`, {});
    const entries = await entriesOf(id);
    assert.deepEqual(
      entries.map(({ kind, fields, tags }) => [kind, fields && new Set(fields), tags]),
      [
        ['edit', new Set(['first_name', 'notes']), null],
        ['tag', new Set(['tags']), { added: ['d'], removed: ['b'] }],
        ...[
          ['edit', new Set(['company']), null],
          ['tag', new Set(['tags']), { added: ['c'], removed: ['a'] }],
        ].sort(() => (entries[2]?.kind === 'edit' ? 0 : -1)),
        ['edit', null, null],
      ],
    );
    assert.ok(entries.slice(0, -1).every(({ actor }) => actor.name === OWNER));
    assert.ok(entries.slice(0, -1).every(({ request_id }) => typeof request_id === 'string'));
    const changes = entries.map(({ changes }) => changes);
    assert.deepEqual(changes[0], {
      before: { first_name: null, notes: null },
      after: { first_name: 'Ada', notes: 'Likes tea.' },
    });
    const company = changes.find((each) => each?.after.company);
    assert.deepEqual(company, { before: { company: null }, after: { company: 'One' } });
  });

  test('An import that changes a contact is one entry that links to the import', async () => {
    const contact = await make({ tags: ['a'] });
    const { id } = await planCsv(owner, `Phone,Company,Tags\n${contact.phone_number},New,z\n`);
    await applyImport(owner, id);
    const [entry] = await entriesOf(contact.id, '?kinds=import');
    assert.deepEqual([entry?.action, entry?.actor.kind, entry?.actor.id], ['contact.updated', 'import', id]);
    assert.ok(entry?.actor.name);
    assert.deepEqual(entry?.fields.toSorted(), ['company', 'tags']);
    assert.deepEqual(entry?.tags, { added: ['z'], removed: [] });
    assert.deepEqual(entry?.changes, { before: { company: null }, after: { company: 'New' } });
  });

  test('Enrollments, claims, reports and removals are listed with their campaign', async () => {
    const { id } = await make();
    const path = `/campaigns/${campaign.id}`;
    await owner.request('POST', `${path}/enrollments`, { contact_ids: [id, (await make()).id] });
    await owner.request('PATCH', path, { status: 'active' });
    const { claims } = await campaignApi(service);
    const claimed = await claims(campaign.id, { limit: 100 });
    const mine = claimed.find(({ contact }) => contact.id === id);
    const report = { status: 'completed', outcome: 'Booked', claim_id: mine?.claim_id };
    // A longer lease has no entry.
    await owner.request('PATCH', `${path}/enrollments/${id}`, {
      claim_id: mine?.claim_id,
      lease_seconds: 900,
    });
    await owner.request('PATCH', `${path}/enrollments/${id}`, report);
    await owner.request('DELETE', `${path}/enrollments/${id}`);
    const entries = await entriesOf(id, '?kinds=enrollment');
    assert.deepEqual(
      entries.map(({ action, enrollment }) => [
        action,
        enrollment.status,
        enrollment.attempts,
        enrollment.outcome,
      ]),
      [
        ['enrollment.deleted', null, null, null],
        ['enrollment.updated', 'completed', 1, 'Booked'],
        ['enrollment.claimed', 'in_progress', 1, null],
        ['enrollment.created', 'pending', 0, null],
      ],
    );
    for (const { enrollment } of entries) {
      assert.deepEqual([enrollment.campaign_id, enrollment.campaign_name], [campaign.id, 'Spring']);
    }
    assert.deepEqual(
      entries.map(({ actor }) => actor.kind),
      ['user', 'user', 'key', 'user'],
    );
  });

  test('Calls are ordered by their start among the other entries, also if they are reported late', async () => {
    const { id, phone_number } = await make();
    const now = await recordCall(service, line, phone_number);
    const late = await recordCall(service, line, phone_number, { started_at: '2020-01-01T10:00:00.000Z' });
    const message = { type: 'message', started_at: '2021-01-01T10:00:00.000Z' };
    const sent = await recordCall(service, line, phone_number, message);
    const entries = await entriesOf(id);
    assert.deepEqual(
      entries.map((each) => each.id),
      [now.id, id, sent.id, late.id],
    );
    assert.deepEqual(entries[3]?.call, await owner.request('GET', `/calls/${late.id}`));
    assert.deepEqual(await actionsOf(id, '?kinds=message'), ['message call.recorded']);
    assert.deepEqual(await actionsOf(id, '?kinds=call,message&limit=2'), [
      'call call.recorded',
      'message call.recorded',
    ]);
  });

  test('Pages have every entry once and in order, while new entries arrive', async () => {
    const { id, phone_number } = await make();
    for (let at = 0; at < 7; at++) {
      await owner.request('PATCH', `/contacts/${id}`, { notes: `${at}`, tags: [`${at}`] });
      const started_at = `2022-01-01T00:00:00.00${at % 2}Z`;
      await recordCall(service, line, phone_number, { started_at });
    }
    const all = await entriesOf(id);
    assert.equal(all.length, 22);
    for (const query of ['', '&kinds=edit,call', '&kinds=tag']) {
      const whole = await entriesOf(id, `?limit=100${query}`);
      const seen: Json[] = [];
      for (let cursor = ''; ; ) {
        const { entries, next_cursor } = await page(id, `?limit=3${query}${cursor && `&cursor=${cursor}`}`);
        seen.push(...entries);
        await owner.request('PATCH', `/contacts/${id}`, { company: `${seen.length}` });
        if (next_cursor === null) break;
        assert.equal(entries.length, 3);
        cursor = next_cursor;
      }
      assert.deepEqual(seen, whole);
    }
  });

  test('A cursor of another contact or of other kinds is rejected', async () => {
    const [one, two] = [await make(), await make()];
    await owner.request('PATCH', `/contacts/${one.id}`, { notes: 'x' });
    const { next_cursor } = await page(one.id, '?limit=1');
    for (const path of [
      `/contacts/${two.id}/timeline?cursor=${next_cursor}`,
      `/contacts/${one.id}/timeline?kinds=tag&cursor=${next_cursor}`,
      `/contacts/${one.id}/timeline?cursor=nothing`,
    ]) {
      assertInvalid(await owner.call('GET', path), 'cursor');
    }
    for (const [query, field] of [
      ['kinds=nothing', 'kinds'],
      ['kinds=', 'kinds'],
      ['limit=0', 'limit'],
    ] as const) {
      assertInvalid(await owner.call('GET', `/contacts/${one.id}/timeline?${query}`), field);
    }
  });

  test('A key reads the kinds of its scopes, and sees no emails without the scope admin', async () => {
    const { id, phone_number } = await make();
    await recordCall(service, line, phone_number);
    await recordCall(service, line, phone_number, { type: 'message' });
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [id] });
    const get = (key: string, query = '') =>
      service.call('GET', `/v1/contacts/${id}/timeline${query}`, undefined, { key });
    const kindsFor = async (key: string) => {
      const { data } = (await get(key)).body;
      return data.entries.map(({ kind, actor }: Json) => `${kind} ${actor?.name ?? '-'}`).toSorted();
    };
    const only = await createScopedKey(service.database, 'contacts:read');
    assert.deepEqual(await kindsFor(only), ['edit -']);
    assertError(await get(only, '?kinds=edit,call'), 403, 'FORBIDDEN');
    assertError(await get(only, '?kinds=enrollment'), 403, 'FORBIDDEN');
    const calls = await createScopedKey(service.database, 'contacts:read', 'calls:read');
    assert.deepEqual(await kindsFor(calls), ['call -', 'edit -', 'message -']);
    const all = await createScopedKey(
      service.database,
      'contacts:read',
      'calls:read',
      'campaigns:read',
      'admin',
    );
    assert.deepEqual(await kindsFor(all), ['call -', `edit ${OWNER}`, `enrollment ${OWNER}`, 'message -']);
    assertError(await get(await createScopedKey(service.database, 'calls:read')), 403, 'FORBIDDEN');
    const [entry] = (await page(id, '?kinds=edit', member)).entries;
    assert.equal(entry.actor.name, OWNER);
  });

  test('Every kind that shows records of other features needs their scope', async () => {
    const NEEDED: Readonly<Record<(typeof timelineKinds)[number], KeyScope | undefined>> = {
      edit: undefined,
      tag: undefined,
      import: undefined,
      enrollment: 'campaigns:read',
      call: 'calls:read',
      message: 'calls:read',
    };
    const { id } = await make();
    const get = (key: string, query: string) => service.get(`/v1/contacts/${id}/timeline${query}`, { key });
    const all = await createScopedKey(service.database, ...keyScopes);
    const only = await createScopedKey(service.database, 'contacts:read');
    for (const kind of timelineKinds) {
      assert.equal((await get(all, `?kinds=${kind}`)).status, 200);
      const scope = NEEDED[kind];
      const reply = await get(only, `?kinds=${kind}`);
      if (!scope) assert.equal(reply.status, 200, reply.text);
      else assert.deepEqual(assertError(reply, 403, 'FORBIDDEN').details, { required_scope: scope });
    }
  });

  test('A contact of another workspace and one that was deleted have no timeline', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const { id } = await make({ tags: ['secret'] });
    await owner.request('PATCH', `/contacts/${id}`, { tags: ['hidden'] });
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [id] });
    assertError(await other.call('GET', `/contacts/${id}/timeline`), 404, 'NOT_FOUND');
    await owner.request('DELETE', `/contacts/${id}`);
    for (const gone of [id, NOTHING, 'nothing']) {
      assertError(await owner.call('GET', `/contacts/${gone}/timeline`), 404, 'NOT_FOUND');
    }
    const stored = await service.database.query('select id from contact_changes where contact_id = ?', id);
    assert.deepEqual(stored, []);
  });

  test('Expired changes are deleted; the creation and calls remain', async () => {
    const { id, phone_number } = await make();
    await recordCall(service, line, phone_number);
    await owner.request('PATCH', `/contacts/${id}`, { notes: 'x' });
    const { query } = service.database;
    const [row] = await query('select workspace_id from contacts where id = ?', id);
    const storage = await openTestStorage(service.database);
    const expiry = {
      workspace: Number(row?.workspace_id),
      before: new Date().toISOString(),
      ahead: '9999-01-01T00:00:00.000Z',
    };
    while ((await storage.run(expireChanges, null, expiry)) > 0);
    await storage.close();
    assert.deepEqual(await actionsOf(id), ['call call.recorded', 'edit contact.created']);
  });
});
