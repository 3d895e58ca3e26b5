import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makePhoneChannel, recordCall, sendCallEvent } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const NONE = { dispositions: [], field_rules: [], transcript_days: null };
const booked = { key: 'booked', label: 'Booked' };

onEveryEngine('Call settings', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    line = await makePhoneChannel(owner);
    await makeField(service, 'budget', 'number', { filterable: true });
    await makeField(service, 'plan', 'text');
  });
  const put = (settings: Json, headers = {}) =>
    owner.call('PUT', '/call-settings', { ...NONE, ...settings }, { headers });
  const rule = (data: string, field: string, mode = 'overwrite') => ({ data, field, mode });
  const contactOf = async (id: string): Promise<Json> =>
    (await service.get(`/v1/contacts/${id}?include=fields`)).body.data;
  const auditOf = async () =>
    (
      await service.database.query(
        "select fields from audit_entries where action = 'settings.updated' order by seq desc limit 1",
      )
    )[0]?.fields;

  it('Settings are empty at first, are replaced as a whole, and have an ETag', async () => {
    const first = await owner.call('GET', '/call-settings');
    assert.deepEqual(first.body.data, NONE);
    const next = { dispositions: [booked], field_rules: [rule('budget', 'budget')], transcript_days: 30 };
    const stale = await put(next, { 'if-match': '"other"' });
    assert.equal(stale.status, 412);
    const saved = await put(next, { 'if-match': first.headers.get('etag') });
    assert.deepEqual([saved.status, saved.body.data], [200, next]);
    assert.deepEqual((await owner.call('GET', '/call-settings')).body.data, next);
    assert.deepEqual(JSON.parse(String(await auditOf())), {
      names: ['dispositions', 'field_rules', 'transcript_days'],
      before: NONE,
      after: next,
    });
    assert.deepEqual((await put({})).body.data, NONE);
  });

  it('Only keys with the scope admin write settings, and those with calls:read read them', async () => {
    const admin = await createScopedKey(service.database, 'admin');
    const reader = await createScopedKey(service.database, 'calls:read');
    assert.equal((await service.call('PUT', '/v1/call-settings', NONE, { key: reader })).status, 403);
    assert.equal((await service.call('PUT', '/v1/call-settings', NONE, { key: admin })).status, 200);
    assert.equal((await service.get('/v1/call-settings', { key: reader })).status, 200);
    assert.equal((await service.get('/v1/call-settings', { key: admin })).status, 403);
  });

  it('Invalid settings are rejected with what to send, and nothing changes', async () => {
    await put({ dispositions: [booked] });
    for (const [settings, message] of [
      [{ dispositions: [booked, booked] }, 'dispositions: must not have the key booked twice.'],
      [{ field_rules: [rule('a', 'missing')] }, /field_rules\[0\]\.field: is not a field of this workspace/],
      [{ field_rules: [rule('a', 'phone_number')] }, /is not a field of this workspace/],
      [{ field_rules: [rule('a', 'plan'), rule('a', 'plan', 'if_empty')] }, /same data and field/],
      [{ field_rules: [rule('a', 'plan', 'add')] }, /overwrite, if_empty/],
      [{ transcript_days: 0 }, /from 1 to 3650/],
      [{ transcript_days: undefined }, 'transcript_days: is required.'],
    ] as [Json, string | RegExp][]) {
      const reply = await put(settings);
      assert.equal(reply.status, 400, reply.text);
      const found = reply.body.error.message;
      if (typeof message === 'string') assert.equal(found, message);
      else assert.match(found, message);
    }
    assert.deepEqual((await owner.call('GET', '/call-settings')).body.data, {
      ...NONE,
      dispositions: [booked],
    });
  });

  it('Calls keep a disposition that was removed, and other calls cannot get it', async () => {
    await put({ dispositions: [booked] });
    const number = newPhone();
    const event = { provider_id: `removed ${number}`, disposition: 'booked' };
    const { id } = await recordCall(service, line, number, event);
    await put({});
    assert.equal((await recordCall(service, line, number, event)).effect, 'none');
    assert.equal((await owner.request('GET', `/calls/${id}`)).disposition, 'booked');
    const refused = await sendCallEvent(service, line, newPhone(), { disposition: 'booked' });
    assert.equal(
      refused.body.error.message,
      'disposition: cannot be set: the workspace defines no dispositions. An owner defines them with PUT /v1/call-settings.',
    );
  });

  it('Rules copy reported data to fields of the contact, and skip values that do not fit', async () => {
    await put({
      field_rules: [rule('budget', 'budget'), rule('plan', 'plan', 'if_empty'), rule('firm', 'company')],
    });
    const contact = await makeContact(service, { fields: { plan: 'Gold' } });
    const number = contact.phone_number;
    const event = { provider_id: `rules ${number}` };
    const report = (data: Json) => recordCall(service, line, number, { ...event, data });
    const first = await report({ budget: 12, plan: 'Silver', firm: 'Acme', other: 1 });
    assert.equal(first.skipped_fields, undefined);
    const shown = await contactOf(contact.id);
    assert.deepEqual([shown.fields, shown.company], [{ budget: 12, plan: 'Gold' }, 'Acme']);
    const second = await report({ budget: 'a lot', firm: null });
    assert.deepEqual(
      [second.effect, second.skipped_fields],
      ['updated', [{ field: 'budget', message: 'must be a number from -10^15 to 10^15, for example 12.5.' }]],
    );
    assert.deepEqual((await contactOf(contact.id)).fields, { budget: 12, plan: 'Gold' });
    const filter = encodeURIComponent('{"attribute":"fields.budget","op":"eq","value":12}');
    assert.equal((await owner.request('GET', `/contacts?filter=${filter}`)).length, 1);
    const events = await service.database.query(
      "select type, changed, actor from events where contact_id = ? and type = 'contact.updated' order by abs(seq)",
      contact.id,
    );
    assert.deepEqual(events.map(({ changed, actor }) => [changed, actor]).at(-1), [
      '["company","fields.budget"]',
      line.id,
    ]);
  });

  it('A repeated report does not write a field that was edited since', async () => {
    await put({ field_rules: [rule('budget', 'budget')] });
    const contact = await makeContact(service);
    const event = { provider_id: `repeated ${contact.id}`, data: { budget: 1 } };
    await recordCall(service, line, contact.phone_number, event);
    await service.patch(`/v1/contacts/${contact.id}`, { fields: { budget: 2 } });
    assert.equal((await recordCall(service, line, contact.phone_number, event)).effect, 'none');
    assert.deepEqual((await contactOf(contact.id)).fields, { budget: 2 });
  });

  it('The first call of an unknown number creates the contact with the fields of its rules', async () => {
    await put({ field_rules: [rule('budget', 'budget')] });
    const { contact_id } = await recordCall(service, line, newPhone(), { data: { budget: 7 } });
    assert.deepEqual((await contactOf(contact_id)).fields, { budget: 7 });
  });

  it('A field that a rule writes cannot be archived or deleted', async () => {
    await makeField(service, 'ruled', 'text');
    await put({ field_rules: [rule('x', 'ruled')] });
    for (const reply of [
      await owner.call('DELETE', '/fields/ruled'),
      await owner.call('PATCH', '/fields/ruled', { archived: true }),
    ])
      assert.deepEqual(
        [reply.status, reply.body.error.message],
        [
          409,
          'A rule of the call settings writes the field ruled. Remove it with PUT /v1/call-settings first.',
        ],
      );
    await put({});
    assert.equal((await owner.call('PATCH', '/fields/ruled', { archived: true })).status, 200);
    assert.match((await put({ field_rules: [rule('x', 'ruled')] })).body.error.message, /is archived/);
  });
});
