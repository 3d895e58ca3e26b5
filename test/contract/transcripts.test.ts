import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { expireTranscripts } from '../../src/features/calls/transcript.service.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import type { TestChannel } from '../kit/webhooks/channel-hooks.ts';

const DAY = 86_400_000;
const turns = [
  { speaker: 'agent', text: 'Hello.', at: '2026-01-31T09:30:00.000Z' },
  { speaker: 'caller', text: 'Grüße 🙂', at: null },
];

onEveryEngine('Transcripts', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  let key = '';
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    line = await makePhoneChannel(owner);
    key = await createScopedKey(service.database, 'calls:write', 'calls:read');
  });
  const keep = (transcript_days: number | null) =>
    owner.request('PUT', '/call-settings', { dispositions: [], field_rules: [], transcript_days });
  const at = (id: string) => `/v1/calls/${id}/transcript`;
  const put = (id: string, body: Json = { turns }) => service.call('PUT', at(id), body, { key });
  const get = (id: string) => service.get(at(id), { key });
  const eventsOf = (id: string) =>
    service.database.query(
      "select changed, data from events where subject = ? and type = 'call.updated'",
      id,
    );
  const stored = async (): Promise<string[]> =>
    (await service.database.query('select call_id from transcripts order by call_id')).map((row) =>
      String(row.call_id),
    );
  const setAge = (id: string, days: number) =>
    service.database.query(
      'update transcripts set at = ? where call_id = ?',
      new Date(Date.now() - days * DAY).toISOString(),
      id,
    );
  const expire = async () => {
    const storage = await openTestStorage(service.database);
    const [row] = await service.database.query(`select id from workspaces where name = 'default'`);
    const expiry = { workspace: Number(row?.id), before: '', ahead: '' };
    while ((await storage.run(expireTranscripts, null, expiry)) > 0);
    await storage.close();
  };

  it('Transcripts are off until the workspace turns them on', async () => {
    const { id } = await recordCall(service, line, newPhone());
    const refused = await put(id);
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [
        409,
        'Transcripts are off in this workspace. An owner turns them on by setting transcript_days with PUT /v1/call-settings.',
      ],
    );
    const missing = await get(id);
    assert.deepEqual([missing.status, missing.body.error.message], [404, refused.body.error.message]);
  });

  it('A transcript is written and replaced, and its events do not contain it', async () => {
    await keep(30);
    const { id } = await recordCall(service, line, newPhone());
    const written = await put(id, { turns: [turns[0], { speaker: 'caller', text: 'Grüße 🙂' }] });
    assert.equal(written.status, 200, written.text);
    const left = Date.parse(written.body.data.expires_at) - Date.now();
    assert.ok(left > 29.9 * DAY && left <= 30 * DAY, `${left}`);
    assert.deepEqual((await get(id)).body.data, { turns, ...written.body.data });
    assert.deepEqual(Object.keys(written.body.data), ['expires_at'], 'what an idempotency record can keep');
    assert.equal((await put(id)).status, 200, 'the same transcript changes nothing');
    const [event, ...others] = await eventsOf(id);
    assert.deepEqual([event?.changed, others], ['["transcript"]', []]);
    assert.ok(!String(event?.data).includes('Hello'));
  });

  it('A transcript is erased by one without turns, whatever the settings and only once', async () => {
    const erase = async (id: string) => {
      const { status, body, text } = await put(id, { turns: [] });
      assert.equal(status, 200, text);
      assert.deepEqual(body.data, { expires_at: null });
    };
    const { id } = await recordCall(service, line, newPhone());
    await keep(30);
    await erase(id);
    assert.deepEqual(await eventsOf(id), [], 'there was none');
    for (const days of [30, null]) {
      await keep(30);
      await put(id);
      const events = (await eventsOf(id)).length;
      await keep(days);
      await erase(id);
      assert.ok(!(await stored()).includes(id), `${days}`);
      assert.equal((await get(id)).status, 404);
      await erase(id);
      assert.equal((await eventsOf(id)).length, events + 1);
    }
    await keep(30);
  });

  it('Reading needs calls:read and writing needs calls:write', async () => {
    const { id } = await recordCall(service, line, newPhone());
    const reader = await createScopedKey(service.database, 'calls:read');
    const writer = await createScopedKey(service.database, 'calls:write');
    assert.equal((await service.call('PUT', at(id), { turns }, { key: reader })).status, 403);
    assert.equal((await service.call('PUT', at(id), { turns }, { key: writer })).status, 200);
    assert.equal((await service.get(at(id), { key: writer })).status, 403);
  });

  it('A transcript has at most 2,000 turns and half a mebibyte', async () => {
    const { id } = await recordCall(service, line, newPhone());
    const many = (count: number, text: string) => ({
      turns: Array.from({ length: count }, () => ({ speaker: 'agent', text, at: null })),
    });
    assert.equal((await put(id, many(2_000, 'x'.repeat(200)))).status, 200);
    assert.match((await put(id, many(2_001, ''))).body.error.message, /at most 2000 entries; this has 2001/);
    assert.equal((await put(id, many(200, 'x'.repeat(4_096)))).status, 413);
    for (const [turn, field] of [
      [{ speaker: 'bot', text: '' }, 'turns[0].speaker'],
      [{ speaker: 'agent' }, 'turns[0].text'],
      [{ speaker: 'agent', text: 'x'.repeat(4_097) }, 'turns[0].text'],
      [{ speaker: 'agent', text: '', at: '00:01' }, 'turns[0].at'],
    ] as [Json, string][]) {
      const reply = await put(id, { turns: [turn] });
      assert.deepEqual([reply.status, reply.body.error.details[0].field], [400, field]);
    }
  });

  it('An expired transcript is not shown, and is deleted when the retention ends, is shortened or turned off', async () => {
    await service.database.query('delete from transcripts');
    await keep(30);
    const ids: string[] = [];
    for (const days of [29, 31, 5]) {
      const { id } = await recordCall(service, line, newPhone());
      await put(id);
      await setAge(id, days);
      ids.push(id);
    }
    const [month = '', older = '', week = ''] = ids;
    assert.deepEqual([(await get(month)).status, (await get(older)).status], [200, 404]);
    await expire();
    assert.deepEqual(await stored(), [month, week].sort());
    await keep(7);
    assert.deepEqual([(await get(month)).status, (await get(week)).status], [404, 200]);
    await expire();
    assert.deepEqual(await stored(), [week]);
    await keep(null);
    assert.equal((await get(week)).status, 404);
    await expire();
    assert.deepEqual(await stored(), []);
  });

  it('A transcript is deleted with the contact of its call, and cannot be added afterwards', async () => {
    await keep(30);
    const { id, contact_id } = await recordCall(service, line, newPhone());
    await put(id);
    assert.equal((await service.delete(`/v1/contacts/${contact_id}`)).status, 200);
    assert.deepEqual(await stored(), []);
    const refused = await put(id);
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [409, 'The contact of this call was deleted, so its transcript cannot be stored.'],
    );
  });
});
