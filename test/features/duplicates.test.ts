import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeChannelWithAgent, signedInOwner } from '../kit/fixtures/agents.ts';
import {
  currentDuplicates,
  expectedDuplicates,
  groupNames,
  listDuplicates,
} from '../kit/fixtures/duplicates.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { Random } from '../kit/random.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';
import { deliverEvent, newCallEvent } from '../kit/webhooks/providers.ts';

const SEED = process.env.SEED ?? '1';

onEveryEngine('Likely duplicates', (service) => {
  let owner: CheckedUser;
  let crm: Json;
  let count = 0;
  before(async () => {
    owner = await signedInOwner(service);
    crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
  });
  const newEmail = () => `person${++count}@example.com`;
  const linked = async (crm_ids: Json): Promise<Json> => {
    const body = { phone_number: newPhone(), crm_ids };
    return (await service.post(`/hooks/contacts/${crm.id}`, body, { key: crm.secret })).body.data.contact;
  };
  const groupsOf = (contact: Json, query = '') =>
    currentDuplicates(service, `contact_id=${contact.id}&${query}`);
  const idsOf = ({ contacts }: Json): string[] => contacts.map(({ id }: Json) => id);
  const sorted = (...contacts: Json[]) => contacts.map(({ id }) => id).sort();
  const dismiss = (id: string) => service.post(`/v1/duplicates/${id}/dismiss`, undefined);
  const restore = (id: string) => service.delete(`/v1/duplicates/${id}/dismissal`);
  const add = async (contact: Json, kind: string, value: string) =>
    assert.equal((await service.post(`/v1/contacts/${contact.id}/identities`, { kind, value })).status, 201);
  const request: CheckedUser['request'] = (...args) => owner.request(...args);
  const mergeContacts = async (survivor: Json, other: Json): Promise<Json> => {
    const body = { survivor_id: survivor.id, other_ids: [other.id] };
    const { plan_token } = await request('POST', '/merges', { ...body, dry_run: true }, 200);
    return request('POST', '/merges', { ...body, plan_token }, 201);
  };
  const stored = async (table: string, id: string) =>
    service.database.query(`select * from ${table} where contact_id = ?`, id);

  test('The first request starts the comparison of all contacts, and later changes follow', async () => {
    const email = newEmail();
    const one = await makeContact(service, { email, first_name: 'Ada', company: 'Acme' });
    const two = await makeContact(service, { email: email.toUpperCase() });
    assert.deepEqual(await stored('duplicate_keys', one.id), [], 'nothing is compared before');
    const first = (await service.get('/v1/duplicates')).body.data;
    assert.deepEqual(first, { status: 'building', progress: 0, duplicates: [], next_cursor: null });
    const [group, ...others] = await groupsOf(one);
    assert.deepEqual(others, []);
    const shown = ({ id, phone_number, first_name, last_name, display_name, email, company }: Json) => ({
      id, phone_number, email, first_name, last_name, display_name, company,
    }); // biome-ignore format: one object
    assert.deepEqual(group, {
      id: group.id,
      reason: 'same_email',
      strength: 'strong',
      dismissed: false,
      count: 2,
      contacts: [one, two].sort((a, b) => (a.id < b.id ? -1 : 1)).map(shown),
      dismissed_pairs: [],
      created_at: group.created_at,
      updated_at: group.updated_at,
    });
    assert.match(group.id, /^duplicate_[0-9a-z]{26}$/);
    assert.deepEqual((await service.get(`/v1/duplicates/${group.id}`)).body.data, group);

    const three = await makeContact(service, { email });
    const [grown] = await groupsOf(three);
    assert.deepEqual([grown.id, grown.created_at, grown.count], [group.id, group.created_at, 3]);
    assert.ok(grown.updated_at > group.updated_at);
    await service.patch(`/v1/contacts/${two.id}`, { email: newEmail() });
    assert.deepEqual(await groupsOf(two), []);
    assert.deepEqual((await groupsOf(one)).map(idsOf), [sorted(one, three)]);
    assert.equal((await service.delete(`/v1/contacts/${one.id}`)).status, 200);
    assert.deepEqual(await listDuplicates(service, `contact_id=${three.id}`), [], 'without waiting');
    assertError(await service.get(`/v1/duplicates/${group.id}`), 404, 'NOT_FOUND');
    assert.deepEqual(await stored('duplicate_keys', one.id), []);
  });

  test(`Groups equal those of a comparison of all contacts after random changes (SEED=${SEED})`, async () => {
    const random = new Random(`duplicates ${SEED}`);
    let line = 200;
    const text = (...values: string[]) => (random.chance(0.3) ? null : random.pick(values));
    const fields = () => ({
      first_name: text('Ana', 'ÁNA', 'Bob', 'bob ', 'Zoë'),
      last_name: text('Lima', 'lima', 'Ng'),
      display_name: random.chance(0.8) ? null : text('Ana Lima', 'Zoe'),
      company: text('Acme', 'ACME', 'Ácme', 'Umbrella'),
      email: text(...Array.from({ length: 40 }, (_, at) => `${at % 2 ? 'X' : 'x'}${at % 25}@example.com`)),
    });
    const phone = () => {
      if (random.chance(0.7)) return newPhone();
      const digits = String(++line).padStart(3, '0');
      return random.chance(0.5) ? `+5511965550${digits}` : `+551165550${String(line - 1).padStart(3, '0')}`;
    };
    const all = async (): Promise<Json[]> => {
      const found: Json[] = [];
      for (let offset = 0; ; offset += 100) {
        const { data } = (await service.get(`/v1/contacts?limit=100&offset=${offset}`)).body;
        found.push(...data);
        if (data.length < 100) break;
      }
      const rows = await service.database.query('select id, crm_ids from contacts');
      const ids = new Map(rows.map(({ id, crm_ids }: Json) => [id, JSON.parse(crm_ids)]));
      return found.map((each) => ({ ...each, crm_ids: ids.get(each.id) }));
    };
    for (let round = 0; round < 4; round++) {
      const operations = Array.from({ length: 60 }, () => ({
        op: 'upsert',
        phone_number: phone(),
        ...fields(),
      }));
      await service.post('/v1/contacts/batch', { atomic: false, operations });
      const rows = Array.from({ length: 20 }, () => [
        newPhone(),
        text('Ana', 'Bob') ?? '',
        text('Acme') ?? '',
      ]);
      const csv = ['phone,first name,company', ...rows.map((row) => row.join(','))].join('\n');
      await applyImport(owner, (await planCsv(owner, csv)).id);
      for (let at = 0; at < 10; at++)
        await linked({ hubspot: String(random.below(12)), [random.letters(3)]: '1' });
      const known = await all();
      for (let at = 0; at < 40; at++) {
        const { id } = random.pick(known);
        await (random.chance(0.4)
          ? service.delete(`/v1/contacts/${id}`)
          : service.patch(`/v1/contacts/${id}`, fields()));
      }
      const expected = expectedDuplicates(await all());
      assert.deepEqual(groupNames(await currentDuplicates(service, 'dismissed=false')), expected);
      assert.ok(expected.length > 10, `${expected.length} groups`);
    }
    await assertConsistent(service.database);
  });

  test('Contacts are alike by variants of numbers, email, ids in a CRM, and name with company', async () => {
    const numbers = ['+5511965550101', '+551165550101'];
    const [long, short] = await Promise.all(
      numbers.map((phone_number) => makeContact(service, { phone_number })),
    );
    const hub = [await linked({ crm: 'same', first: 'same' }), await linked({ crm: 'same', second: 'same' })];
    await linked({ third: 'same' });
    const named = [
      await makeContact(service, { first_name: 'Zoë', last_name: 'Núñez', company: 'ŁÓDŹ  Ltd' }),
      await makeContact(service, { display_name: 'zoe nunez', company: 'lodz ltd' }),
    ];
    await makeContact(service, { display_name: 'Zoe Nunez' });
    await makeContact(service, { display_name: 'Zoe Nunez', company: 'Other' });
    const summary = ({ reason, strength, ...group }: Json) => [reason, strength, idsOf(group)];
    assert.deepEqual((await groupsOf(long)).map(summary), [
      ['variant_numbers', 'strong', sorted(long, short)],
    ]);
    assert.deepEqual((await groupsOf(hub[0])).map(summary), [['same_external_id', 'strong', sorted(...hub)]]);
    assert.deepEqual((await groupsOf(named[0])).map(summary), [
      ['same_name_and_company', 'weak', sorted(...named)],
    ]);
    for (const reason of ['variant_numbers', 'same_external_id', 'same_name_and_company', 'same_email'])
      for (const each of await listDuplicates(service, `reason=${reason}`)) assert.equal(each.reason, reason);
    const [weak, strong] = [
      await listDuplicates(service, 'strength=weak'),
      await listDuplicates(service, 'strength=strong'),
    ];
    assert.ok(weak.length > 0 && weak.every(({ reason }) => reason === 'same_name_and_company'));
    assert.ok(strong.length > 0 && strong.every((each) => each.strength === 'strong'));
    const all = await listDuplicates(service);
    assert.deepEqual(
      all.map(({ id }) => id),
      [...weak, ...strong].map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)),
    );
    assert.deepEqual(await listDuplicates(service, 'strength=weak&reason=same_email'), []);
    assertInvalid(await service.get('/v1/duplicates?reason=same'), 'reason');
    const page = (await service.get('/v1/duplicates?limit=1')).body.data;
    const moved = `/v1/duplicates?limit=1&reason=same_email&cursor=${page.next_cursor}`;
    assertInvalid(await service.get(moved), 'cursor');
  });

  test('A dismissed pair stays away until it is undone, and a third contact brings back the others', async () => {
    const email = newEmail();
    const [one, two] = [await makeContact(service, { email }), await makeContact(service, { email })];
    const [group] = await groupsOf(one);
    const dismissed = await dismiss(group.id);
    assert.equal(dismissed.status, 200, dismissed.text);
    assert.deepEqual(
      [dismissed.body.data.dismissed, dismissed.body.data.dismissed_pairs],
      [true, [sorted(one, two)]],
    );
    assert.deepEqual(await groupsOf(one), []);
    assert.deepEqual((await groupsOf(one, 'dismissed=true')).map(idsOf), [sorted(one, two)]);
    assert.equal((await dismiss(group.id)).status, 200, 'twice');
    const audit = (await owner.call('GET', `/audit?subject=${group.id}`)).body.data;
    assert.deepEqual(
      audit.map(({ action, counts }: Json) => [action, counts]),
      [['duplicate.dismissed', { contacts: 2 }]],
    );
    // For another reason, it is the same pair.
    for (const { id } of [one, two])
      await service.patch(`/v1/contacts/${id}`, { display_name: `Ann ${count}`, company: 'Acme' });
    assert.deepEqual(await groupsOf(one), []);
    assert.equal((await groupsOf(one, 'dismissed=true')).length, 2);

    const three = await makeContact(service, { email });
    const [back] = await groupsOf(three);
    assert.deepEqual([back.id, back.dismissed], [group.id, false]);
    assert.deepEqual(idsOf(back), sorted(one, two, three));
    assert.deepEqual(back.dismissed_pairs, [sorted(one, two)]);
    assert.deepEqual((await dismiss(back.id)).body.data.dismissed_pairs.length, 3);
    const four = await makeContact(service, { email, phone_number: newPhone() });
    const [again] = await groupsOf(four);
    assert.deepEqual([idsOf(again), again.dismissed_pairs.length], [sorted(one, two, three, four), 3]);
    await service.delete(`/v1/contacts/${four.id}`);
    assert.deepEqual(await groupsOf(one), [], 'only dismissed pairs are left');

    const undone = await restore(group.id);
    assert.equal(undone.status, 200, undone.text);
    assert.deepEqual([undone.body.data.dismissed, undone.body.data.dismissed_pairs], [false, []]);
    assert.equal((await groupsOf(one)).length, 2, 'of both reasons');
    await dismiss(group.id);
    await service.delete(`/v1/contacts/${two.id}`);
    const pairs = 'select * from duplicate_dismissals where contact_id = ? or other_id = ?';
    assert.deepEqual(await service.database.query(pairs, two.id, two.id), []);
    await assertConsistent(service.database);
  });

  test('A contact all of whose pairs are dismissed is left out of a group', async () => {
    const email = newEmail();
    const [one, two] = [await makeContact(service, { email }), await makeContact(service, { email })];
    const [first] = await groupsOf(one);
    await dismiss(first.id);
    const other = newEmail();
    const three = await makeContact(service, { email: other });
    await service.patch(`/v1/contacts/${one.id}`, { email: other });
    const [second] = await groupsOf(three);
    await dismiss(second.id);
    for (const { id } of [one, three]) await service.patch(`/v1/contacts/${id}`, { email });
    // One is neither two nor three; two may be three.
    const [group] = await groupsOf(two);
    assert.deepEqual([idsOf(group), group.count, group.dismissed_pairs], [sorted(two, three), 2, []]);
    assert.deepEqual(await groupsOf(one), []);
  });

  test('A value that more than 20 contacts share has no group', async () => {
    const email = newEmail();
    const made: Json[] = [];
    for (let at = 0; at < 20; at++) made.push(await makeContact(service, { email }));
    assert.equal((await groupsOf(made[0]))[0].count, 20);
    made.push(await makeContact(service, { email }));
    assert.deepEqual(await groupsOf(made[0]), []);
    await service.delete(`/v1/contacts/${made.pop().id}`);
    assert.deepEqual((await groupsOf(made[0])).map(idsOf), [sorted(...made)]);
  });

  test('Secondary numbers and addresses are compared like the first ones', async () => {
    const email = newEmail();
    const one = await makeContact(service, { email });
    const two = await makeContact(service);
    const three = await makeContact(service, { phone_number: '+5511961230001' });
    await add(two, 'email_address', email);
    await add(two, 'phone', '+551161230001');
    const found = (await groupsOf(two)).map((each) => [each.reason, idsOf(each)]).sort();
    assert.deepEqual(found, [
      ['same_email', sorted(one, two)],
      ['variant_numbers', sorted(two, three)],
    ]);
  });

  test('Two contacts of which reports attest one identity are a group, until they are merged', async () => {
    const user = { kind: 'whatsapp_user', value: `US.13491208655302${++count}` };
    const { channel } = await makeChannelWithAgent(service, owner, 'Hi.');
    const report = async (number: string): Promise<Json> => {
      const event = newCallEvent({ type: 'message', user, number });
      return (await deliverEvent(service, channel as TestChannel, event)).body.data;
    };
    const holder = { id: (await report(newPhone())).contact_id };
    assert.deepEqual(await groupsOf(holder), []);
    const other = { id: (await report(newPhone())).contact_id };
    const [group, ...others] = await groupsOf(other);
    assert.deepEqual(others, []);
    assert.deepEqual([group.reason, group.strength], ['attested_identity', 'strong']);
    assert.deepEqual(idsOf(group), sorted(holder, other));
    assert.deepEqual(await groupsOf(holder), [group]);

    const merge = await mergeContacts(holder, other);
    assert.deepEqual(await listDuplicates(service, `contact_id=${holder.id}`), [], 'without waiting');
    assert.deepEqual(await stored('duplicate_keys', other.id), []);
    await request('POST', `/merges/${merge.id}/undo`, undefined, 200);
    assert.deepEqual((await groupsOf(other)).map(idsOf), [sorted(holder, other)]);
  });

  test('Groups of another workspace and ids of no group are 404, and scopes are checked', async () => {
    const email = newEmail();
    const one = await makeContact(service, { email });
    await makeContact(service, { email });
    const [group] = await groupsOf(one);
    const { owner: stranger } = await makeOtherWorkspace(service);
    for (const [method, path] of [
      ['GET', `/duplicates/${group.id}`],
      ['POST', `/duplicates/${group.id}/dismiss`],
      ['DELETE', `/duplicates/${group.id}/dismissal`],
      ['GET', `/duplicates/${group.id.slice(0, -1)}x`],
    ] as const)
      assertError(await stranger.call(method, path), 404, 'NOT_FOUND');
    await stranger.call('GET', '/duplicates');
    assert.deepEqual((await groupsOf(one)).length, 1);
    const writer = await createScopedKey(service.database, 'contacts:write');
    assertError(await service.get('/v1/duplicates', { key: writer }), 403, 'FORBIDDEN');
    const path = `/v1/duplicates/${group.id}/dismiss`;
    assertError(await service.post(path, undefined, { key: writer }), 403, 'FORBIDDEN');
    const reader = await createScopedKey(service.database, 'contacts:read');
    assert.equal((await service.get('/v1/duplicates', { key: reader })).status, 200);
    assertError(await service.post(path, undefined, { key: reader }), 403, 'FORBIDDEN');
  });
});
