import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { differences } from '../kit/database/table-dump.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { runBulkJob, waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { campaignApi, makeActiveCampaign } from '../kit/fixtures/campaigns.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { dumpRecords, mergeApi } from '../kit/fixtures/merges.ts';
import { assertError } from '../kit/http/assertions.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { sendEvent, startSession } from '../kit/webhooks/channel-hooks.ts';

onEveryEngine('Merges of contacts', (service) => {
  const api = () => mergeApi(service);
  const get = async (id: string): Promise<Json> => (await service.get(`/v1/contacts/${id}`)).body.data;

  test('A plan shows every value with its contact, the conflicts and the union of the tags', async () => {
    const { plan } = await api();
    await makeField(service, 'tier', 'text', {});
    const survivor = await makeContact(service, { first_name: 'Ada', tags: ['a', 'b'] });
    const other = await makeContact(service, {
      first_name: 'Augusta',
      last_name: 'King',
      tags: ['b', 'c'],
      fields: { tier: 'gold' },
    });
    const planned = await plan(survivor.id, [other.id]);
    assert.deepEqual(planned.fields, [
      {
        field: 'phone_number',
        contact_id: survivor.id,
        value: survivor.phone_number,
        is_conflict: true,
        values: [
          { contact_id: survivor.id, value: survivor.phone_number },
          { contact_id: other.id, value: other.phone_number },
        ],
      },
      {
        field: 'first_name',
        contact_id: survivor.id,
        value: 'Ada',
        is_conflict: true,
        values: [
          { contact_id: survivor.id, value: 'Ada' },
          { contact_id: other.id, value: 'Augusta' },
        ],
      },
      {
        field: 'last_name',
        contact_id: other.id,
        value: 'King',
        is_conflict: false,
        values: [{ contact_id: other.id, value: 'King' }],
      },
      {
        field: 'fields.tier',
        contact_id: other.id,
        value: 'gold',
        is_conflict: false,
        values: [{ contact_id: other.id, value: 'gold' }],
      },
    ]);
    assert.deepEqual(planned.tags, ['a', 'b', 'c']);
    assert.deepEqual(planned.moves, {
      identities: 1,
      enrollments: 0,
      calls: 0,
      sessions: 0,
      renderings: 0,
      import_rows: 0,
      bulk_changes: 0,
    });
    assert.match(planned.plan_token, /^plan_/);
    assert.equal((await get(other.id)).first_name, 'Augusta');
  });

  test('An undo restores every table as it was before the merge', async () => {
    const { merge, undo, call } = await api();
    const owner = await signedInOwner(service);
    const agent = await makeDeployedAgent(owner, 'Merging');
    const line = await makePhoneChannel(owner, agent);
    const phone = newPhone();
    const survivor = await makeContact(service, { first_name: 'Ada', tags: ['a'] });
    const other = await makeContact(service, {
      phone_number: phone,
      email: 'ada@example.com',
      tags: ['b', 'a'],
    });
    await recordCall(service, line, phone, { status: 'completed' });
    await service.patch(`/v1/contacts/${other.id}`, { phone_number: newPhone() });
    await service.post(`/v1/contacts/${other.id}/identities`, { kind: 'external', value: `x-${other.id}` });
    const newest = await makeContact(service, {});
    await recordCall(service, line, newest.phone_number, { status: 'completed' });
    const campaign = async (contacts: string[]) => {
      const { id } = await owner.request(
        'POST',
        '/campaigns',
        { name: `Of ${contacts[0]}`, agent_id: agent.id, status: 'active' },
        201,
      );
      await owner.request('POST', `/campaigns/${id}/enrollments`, { contact_ids: contacts });
      return id;
    };
    const shared = await campaign([survivor.id, other.id, newest.id]);
    const own = await campaign([other.id]);
    await owner.request('PATCH', `/campaigns/${shared}/enrollments/${other.id}`, { status: 'completed' });
    const before = await dumpRecords(service);

    const merged = await merge(survivor.id, [other.id, newest.id], { email: other.id });
    assert.deepEqual(
      { ...merged, id: '', created_at: '', undo_until: '', created_by: '' },
      {
        id: '',
        survivor_id: survivor.id,
        other_ids: [other.id, newest.id],
        status: 'merged',
        moved: { ...merged.moved, identities: 4, enrollments: 3, calls: 2 },
        created_by: '',
        created_at: '',
        undo_until: '',
        undone_by: null,
        undone_at: null,
        kept: [],
        kept_calls: 0,
        not_restored: [],
      },
    );
    const full = await get(survivor.id);
    assert.equal(full.email, 'ada@example.com');
    assert.deepEqual(full.tags, ['a', 'b']);
    const gone = await call('GET', `/contacts/${other.id}`);
    assertError(gone, 404, 'NOT_FOUND');
    assert.deepEqual(gone.body.error.details, { merged_into: survivor.id });
    const byPhone = await service.get(`/v1/contacts/by-phone/${newest.phone_number}`);
    assert.equal(byPhone.body.data.id, survivor.id);
    const calls = (await call('GET', `/calls?contact_id=${survivor.id}`)).body.data;
    assert.equal(calls.length, 2);
    const enrollments = (await call('GET', `/contacts/${survivor.id}/enrollments`)).body.data;
    assert.deepEqual(
      enrollments.map(({ campaign_id, status }: Json) => [campaign_id, status]).sort(),
      [
        [shared, 'completed'],
        [own, 'pending'],
      ].sort(),
    );
    const timeline = (await call('GET', `/contacts/${survivor.id}/timeline?limit=100`)).body.data.entries;
    assert.equal(timeline.filter(({ kind }: Json) => kind === 'call').length, 2);

    const undone = await undo(merged.id);
    assert.equal(undone.status, 200, undone.text);
    assert.deepEqual(
      [undone.body.data.status, undone.body.data.kept, undone.body.data.not_restored],
      ['undone', [], []],
    );
    assert.deepEqual(differences(before, await dumpRecords(service)), []);
  });

  test('A plan token is valid only for its caller, contacts and choices, and while nothing has changed', async () => {
    const { call, plan } = await api();
    const other = await mergeApi(service);
    const [one, two] = [await makeContact(service), await makeContact(service, { email: 'b@example.com' })];
    const { plan_token } = await plan(one.id, [two.id]);
    const body = { survivor_id: one.id, other_ids: [two.id], plan_token };
    const refused = async (reply: Promise<Json>, status: number, message: RegExp) => {
      const { status: got, body } = await reply;
      assert.deepEqual([got, message.test(body.error.message)], [status, true], body.error.message);
    };
    await refused(other.call('POST', '/merges', body), 400, /not a plan for this caller/);
    await refused(call('POST', '/merges', { ...body, choices: { email: two.id } }), 400, /not a plan/);
    await refused(
      call('POST', '/merges', { ...body, survivor_id: two.id, other_ids: [one.id] }),
      400,
      /not a plan/,
    );
    await refused(call('POST', '/merges', { ...body, dry_run: true }), 400, /Send exactly one/);
    await refused(call('POST', '/merges', { ...body, plan_token: undefined }), 400, /or else dry_run/);
    await refused(call('POST', '/merges', { ...body, other_ids: [] }), 400, /at least 1/);
    await refused(
      call('POST', '/merges', { survivor_id: one.id, other_ids: [one.id], dry_run: true }),
      400,
      /other contacts than survivor_id/,
    );
    await refused(
      call('POST', '/merges', { ...body, plan_token: undefined, dry_run: true, choices: { email: one.id } }),
      400,
      /has a value in the field/,
    );
    await service.post(`/v1/contacts/${two.id}/identities`, { kind: 'external', value: 'later' });
    await refused(call('POST', '/merges', body), 409, /was changed since it was planned/);
    assert.equal((await get(two.id)).id, two.id);
    const again = await plan(one.id, [two.id]);
    assert.equal((await call('POST', '/merges', { ...body, plan_token: again.plan_token })).status, 201);
    await refused(call('POST', '/merges', { ...body, plan_token: again.plan_token }), 404, /was merged into/);
  });

  test('A chosen number becomes the primary one, and an undo gives both numbers back', async () => {
    const { merge, undo, call } = await api();
    const [survivor, other] = [
      await makeContact(service),
      await makeContact(service, { company: 'Engines' }),
    ];
    const before = await dumpRecords(service);
    const { id } = await merge(survivor.id, [other.id], { phone_number: other.id });
    assert.equal((await get(survivor.id)).phone_number, other.phone_number);
    for (const { phone_number } of [survivor, other]) {
      const { body } = await service.get(`/v1/contacts/by-phone/${phone_number}`);
      assert.equal(body.data.id, survivor.id);
    }
    const { data } = (await call('GET', `/contacts/${survivor.id}/identities`)).body;
    assert.deepEqual(
      data.map(({ id, value, is_primary, valid_from }: Json) => [id, value, is_primary, valid_from]),
      [
        [other.id.replace('contact', 'identity'), other.phone_number, true, other.created_at],
        [survivor.id.replace('contact', 'identity'), survivor.phone_number, false, survivor.created_at],
      ],
    );
    assert.equal((await undo(id)).status, 200);
    assert.deepEqual(differences(before, await dumpRecords(service)), []);
  });

  test('What was written to the survivor since a merge stays there, and the undo names it', async () => {
    const { merge, undo, call } = await api();
    const survivor = await makeContact(service, { first_name: 'Ada', tags: ['own'] });
    const other = await makeContact(service, {
      last_name: 'King',
      email: 'king@example.com',
      tags: ['other'],
    });
    await service.post(`/v1/contacts/${other.id}/identities`, {
      kind: 'external',
      value: `gone ${other.id}`,
    });
    const { id } = await merge(survivor.id, [other.id]);
    await service.patch(`/v1/contacts/${survivor.id}`, { last_name: 'Byron', tags: ['own', 'other', 'new'] });
    const identities = (await call('GET', `/contacts/${survivor.id}/identities`)).body.data;
    const moved = identities.find(({ kind }: Json) => kind === 'external');
    await service.delete(`/v1/contacts/${survivor.id}/identities/${moved.id}`);
    const thief = await makeContact(service);
    await service.post(`/v1/contacts/${thief.id}/identities`, {
      kind: 'external',
      value: `gone ${other.id}`,
    });
    const { data } = (await undo(id)).body;
    assert.deepEqual(
      [data.kept, data.not_restored],
      [
        ['last_name'],
        [
          {
            contact_id: other.id,
            kind: 'identity',
            reason: 'held_by_other',
            held_by: thief.id,
            campaign_id: null,
          },
        ],
      ],
    );
    const { last_name, email, tags } = (await service.get(`/v1/contacts/${survivor.id}`)).body.data;
    assert.deepEqual([last_name, email, tags], ['Byron', null, ['own', 'new']]);
    const { updated_at: _, ...restored } = await get(other.id);
    const { updated_at: __, ...former } = other;
    assert.deepEqual({ ...restored, ...former }, restored);
    assertError(await undo(id), 409, 'CONFLICT');
  });

  test('A number that another contact has by now is not taken from it', async () => {
    const { merge, undo, call } = await api();
    const [survivor, other] = [await makeContact(service), await makeContact(service)];
    const { id } = await merge(survivor.id, [other.id]);
    const { data } = (await call('GET', `/contacts/${survivor.id}/identities`)).body;
    await service.delete(`/v1/contacts/${survivor.id}/identities/${data[1].id}`);
    const thief = await makeContact(service, { phone_number: other.phone_number });
    const undone = (await undo(id)).body.data;
    assert.deepEqual(undone.not_restored, [
      {
        contact_id: other.id,
        kind: 'identity',
        reason: 'held_by_other',
        held_by: thief.id,
        campaign_id: null,
      },
    ]);
    assert.equal((await get(other.id)).phone_number, other.phone_number);
    const { body } = await service.get(`/v1/contacts/by-phone/${other.phone_number}`);
    assert.equal(body.data.id, thief.id);
  });

  test('Merges of merged contacts are undone in the opposite order', async () => {
    const { merge, undo, call } = await api();
    const [a, b, c] = [await makeContact(service), await makeContact(service), await makeContact(service)];
    const before = await dumpRecords(service);
    const first = await merge(b.id, [a.id]);
    const second = await merge(c.id, [b.id]);
    for (const { id } of [a, b])
      assert.deepEqual((await call('GET', `/contacts/${id}`)).body.error.details, { merged_into: c.id });
    const refused = await undo(first.id);
    assertError(refused, 409, 'CONFLICT');
    assert.deepEqual(refused.body.error.details, { merge_id: second.id });
    const ids = async (contact: string) =>
      (await call('GET', `/merges?contact_id=${contact}`)).body.data.map(({ id }: Json) => id);
    assert.deepEqual(
      [await ids(a.id), await ids(b.id), await ids(c.id)],
      [[first.id], [second.id, first.id], [second.id]],
    );
    assert.equal((await undo(second.id)).status, 200);
    assert.deepEqual((await call('GET', `/contacts/${a.id}`)).body.error.details, { merged_into: b.id });
    assert.equal((await undo(first.id)).status, 200);
    assert.deepEqual(differences(before, await dumpRecords(service)), []);
  });

  test('A claim of a merged contact can be reported, unless another enrollment stays', async () => {
    const { merge, call } = await api();
    const campaigns = await campaignApi(service);
    const { id, contacts } = await makeActiveCampaign(service, campaigns, 3);
    const [survivor = '', other = '', third = ''] = contacts;
    await campaigns.request('PATCH', `/campaigns/${id}/enrollments/${survivor}`, {
      status: 'pending',
      retry_at: '2100-01-01T00:00:00Z',
    });
    await campaigns.request('PATCH', `/campaigns/${id}/enrollments/${third}`, {
      status: 'pending',
      retry_at: '2100-01-01T00:00:00Z',
    });
    const [claim] = await campaigns.claims(id);
    assert.equal(claim.contact.id, other);
    await merge(survivor, [other]);
    const report = { status: 'completed', claim_id: claim.claim_id };
    const reported = await campaigns.report(id, other, report);
    assert.deepEqual(
      [reported.status, reported.body.data.contact_id, reported.body.data.status],
      [200, survivor, 'completed'],
    );
    const without = await campaigns.report(id, other, { status: 'failed' });
    assertError(without, 404, 'NOT_FOUND');
    assert.deepEqual(without.body.error.details, { merged_into: survivor });
    await merge(survivor, [third]);
    const list = (await call('GET', `/contacts/${survivor}/enrollments`)).body.data;
    assert.deepEqual(
      list.map(({ status }: Json) => status),
      ['completed'],
    );
  });

  test('Deleting the survivor erases what its merges have stored, and events and changes of the others', async () => {
    const { merge, call } = await api();
    const [survivor, other] = [
      await makeContact(service),
      await makeContact(service, { notes: 'Byte by byte.' }),
    ];
    await service.patch(`/v1/contacts/${other.id}`, { first_name: 'Gone' });
    const { id } = await merge(survivor.id, [other.id]);
    assert.equal((await service.delete(`/v1/contacts/${survivor.id}`)).status, 200);
    const left = async (sql: string, ...values: string[]) =>
      Number((await service.database.query(`select count(*) as count from ${sql}`, ...values))[0]?.count);
    assert.deepEqual(
      [
        await left('merges where id = ?', id),
        await left('merge_records where merge_id = ?', id),
        await left('merged_contacts where merge_id = ?', id),
        await left('contact_changes where contact_id in (?, ?)', survivor.id, other.id),
        await left(`events where contact_id = ? and data is not null`, other.id),
        await left('jobs where subject = ?', id),
      ],
      [0, 0, 0, 0, 0, 0],
    );
    assert.equal((await call('GET', `/contacts/${other.id}`)).body.error.details, undefined);
  });

  test('Sessions, rendered texts, rows of imports and changes of bulk jobs follow the contact', async () => {
    const { merge, undo, call } = await api();
    const owner = await signedInOwner(service);
    const user = await signedInUser(service);
    const agent = await makeDeployedAgent(owner, 'Following', 'Hi {{first_name|there}}.');
    const line = await makePhoneChannel(owner, agent);
    const survivor = await makeContact(service, { first_name: 'Ada' });
    const phone_number = newPhone();
    const { id: file } = await applyImport(user, (await planCsv(user, `Phone\n${phone_number}\n`)).id);
    const other = (await service.get(`/v1/contacts/by-phone/${phone_number}`)).body.data;
    const job = await runBulkJob(user, { action: 'tag', selection: { ids: [other.id] }, add: ['bulk'] });
    const session = { provider_id: `call of ${other.id}`, direction: 'inbound', number: phone_number };
    const started = (await startSession(service, line, session)).body.data;
    assert.equal(started.instructions, 'Hi there.');
    const before = await dumpRecords(service);
    const first = await merge(survivor.id, [other.id]);
    assert.deepEqual(
      [first.moved.sessions, first.moved.renderings, first.moved.import_rows, first.moved.bulk_changes],
      [1, 1, 1, 1],
    );
    assert.equal((await undo(first.id)).status, 200);
    assert.deepEqual(differences(before, await dumpRecords(service)), []);

    await merge(survivor.id, [other.id]);
    const { session_id } = started;
    const report = { type: 'call', ...session, session_id, status: 'completed' };
    const recorded = (await sendEvent(service, line, report)).body.data;
    assert.equal(recorded.contact_id, survivor.id);
    const full = (await call('GET', `/calls/${recorded.id}?include=instructions`)).body.data;
    assert.equal(full.instructions.text, 'Hi there.');
    const imported = (await call('GET', `/contacts?import=${file}`)).body.data;
    assert.deepEqual(
      imported.map(({ id }: Json) => id),
      [survivor.id],
    );
    assert.deepEqual((await get(survivor.id)).tags, ['bulk']);
    const undone = (await user.call('POST', `/bulk-jobs/${job.id}/undo`)).body.data;
    assert.equal((await waitForBulkJob(user, undone.id)).changed, 1);
    assert.deepEqual((await get(survivor.id)).tags, []);
  });

  test('A key needs the scopes to merge and to read contacts, and sees no counts of what it may not read', async () => {
    const { merge } = await api();
    const [one, two] = [await makeContact(service), await makeContact(service)];
    const body = { survivor_id: one.id, other_ids: [two.id], dry_run: true };
    const required = async (...scopes: Parameters<typeof createScopedKey>[1][]) => {
      const key = await createScopedKey(service.database, ...scopes);
      const { status, body: answer } = await service.post('/v1/merges', body, { key });
      return [status, answer.error?.details?.required_scope ?? answer.data?.moves.calls];
    };
    assert.deepEqual(await required('contacts:read', 'contacts:write'), [403, 'contacts:merge']);
    assert.deepEqual(await required('contacts:merge'), [403, 'contacts:read']);
    assert.deepEqual(await required('contacts:merge', 'contacts:read'), [200, null]);
    const { id } = await merge(one.id, [two.id]);
    const key = await createScopedKey(service.database, 'contacts:read');
    const shown = (await service.get(`/v1/merges/${id}`, { key })).body.data;
    assert.deepEqual([shown.moved.identities, shown.moved.enrollments, shown.lost], [1, null, []]);
    const writer = await createScopedKey(service.database, 'contacts:write');
    const blind = await service.patch(`/v1/contacts/${two.id}`, { first_name: 'Ada' }, { key: writer });
    assert.deepEqual([blind.status, blind.body.error.details], [404, undefined]);
  });

  test('The values that a survivor did not keep stay with the merge', async () => {
    const { merge, call } = await api();
    const survivor = await makeContact(service, { first_name: 'Ada', company: 'Engines' });
    const other = await makeContact(service, { first_name: 'Augusta', company: 'Engines' });
    const { id } = await merge(survivor.id, [other.id]);
    assert.deepEqual((await call('GET', `/merges/${id}`)).body.data.lost, [
      { field: 'first_name', contact_id: other.id, value: 'Augusta' },
    ]);
  });
});
