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

onEveryEngine('Notes and tags of calls, and the search in what was said', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  let key = '';
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    line = await makePhoneChannel(owner);
    key = await createScopedKey(service.database, 'calls:write', 'calls:read');
    await owner.request('PUT', '/call-settings', { dispositions: [], field_rules: [], transcript_days: 30 });
  });
  const patch = (id: string, body: Json, headers = {}) =>
    service.call('PATCH', `/v1/calls/${id}`, body, { key, headers });
  const found = async (query: Json): Promise<string[]> =>
    (await owner.request('GET', `/calls?${new URLSearchParams(query as never)}`)).map(({ id }: Json) => id);
  const remarks = async (id: string) => {
    const { note, tags } = await owner.request('GET', `/calls/${id}`);
    return { note, tags };
  };
  const say = (id: string, text: string) =>
    owner.request('PUT', `/calls/${id}/transcript`, { turns: [{ speaker: 'caller', text, at: null }] });

  it('A note and tags are stored, shown by the call, list, export and event, audited and replaced', async () => {
    const { id } = await recordCall(service, line, newPhone());
    assert.deepEqual(await remarks(id), { note: null, tags: [] });
    const changed = await patch(id, { note: 'Wants a refund.', tags: ['complaint', 'vip', 'complaint'] });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body.data, await owner.request('GET', `/calls/${id}`));
    assert.deepEqual(await remarks(id), { note: 'Wants a refund.', tags: ['complaint', 'vip'] });
    assert.match(
      (await owner.call('GET', '/calls/export')).text,
      /,Wants a refund\.,"\[""complaint"",""vip""\]"/,
    );
    const events = async () =>
      service.database.query(
        "select changed, data from events where subject = ? and type = 'call.updated' order by abs(seq)",
        id,
      );
    assert.deepEqual(
      (await events()).map(({ changed }) => changed),
      ['["note","tags"]'],
    );
    const [entry] = await owner.request('GET', `/audit?subject=${id}`);
    assert.deepEqual([entry.action, entry.fields], ['call.updated', ['note', 'tags']]);
    await patch(id, { note: 'Wants a refund.' });
    await patch(id, {});
    assert.equal((await events()).length, 1, 'nothing has changed');
    await patch(id, { tags: ['vip'] });
    assert.deepEqual(await remarks(id), { note: 'Wants a refund.', tags: ['vip'] });
    assert.deepEqual([await found({ tag: 'vip' }), await found({ tag: 'complaint' })], [[id], []]);
    await patch(id, { note: null, tags: [] });
    assert.deepEqual(await remarks(id), { note: null, tags: [] });
    assert.deepEqual(await found({ tag: 'vip' }), []);
  });

  it('Later reports keep the note and the tags', async () => {
    const number = newPhone();
    const { id } = await recordCall(service, line, number, { provider_id: 'kept' });
    await patch(id, { note: 'Kept.', tags: ['kept'] });
    const later = { provider_id: 'kept', status: 'completed', summary: 'Asked for Otto.' };
    assert.equal((await recordCall(service, line, number, later)).effect, 'updated');
    assert.deepEqual(await remarks(id), { note: 'Kept.', tags: ['kept'] });
    assert.deepEqual([await found({ search: 'kept.' }), await found({ search: 'OTTO' })], [[id], [id]]);
  });

  it('Bad values, unknown fields and other calls are refused, and change nothing', async () => {
    const { id } = await recordCall(service, line, newPhone());
    for (const [body, field] of [
      [{ note: 'x'.repeat(2_001) }, 'note'],
      [{ note: 7 }, 'note'],
      [{ tags: [''] }, 'tags[0]'],
      [{ tags: null }, 'tags'],
      [{ tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, 'tags'],
      [{ disposition: 'booked' }, 'disposition'],
    ] as [Json, string][]) {
      const reply = await patch(id, body);
      assert.deepEqual([reply.status, reply.body.error.details[0].field], [400, field], reply.text);
    }
    assert.deepEqual(await remarks(id), { note: null, tags: [] });
    assert.equal((await patch('call_00000000000000000000000000', { note: 'x' })).status, 404);
    const reader = await createScopedKey(service.database, 'calls:read');
    const refused = await service.call('PATCH', `/v1/calls/${id}`, { note: 'x' }, { key: reader });
    assert.equal(refused.status, 403);
    const member = await checkedUser(service, await signedInUser(service, 'member@example.com', 'member'));
    assert.equal(
      (await member.request('PATCH', `/calls/${id}`, { note: 'By a member.' })).note,
      'By a member.',
    );
  });

  it('Filters combine tags with others, and the tags in use are listed once each', async () => {
    const number = newPhone();
    const ids: string[] = [];
    for (const [at, tags] of [['blue'], ['blue', 'red'], ['red']].entries()) {
      const { id } = await recordCall(service, line, number, { seconds: at * 100, status: 'completed' });
      await patch(id, { tags });
      ids.push(id);
    }
    const [first, second] = ids;
    assert.deepEqual((await found({ tag: 'blue' })).sort(), [first, second].sort());
    assert.deepEqual(await found({ tag: 'blue', seconds_min: '50' }), [second]);
    assert.deepEqual(await found({ tag: 'blue', number, search: 'nothing' }), []);
    const tags = (await owner.request('GET', '/calls/tags')).map(({ tag }: Json) => tag);
    assert.deepEqual(tags, ['blue', 'kept', 'red']);
  });

  it('A search finds what was noted and said, until the transcript is replaced, erased or expired', async () => {
    const { id } = await recordCall(service, line, newPhone(), { summary: 'Short call.' });
    await patch(id, { note: 'Überfällig' });
    await say(id, 'My parrot is Zoë.');
    for (const search of ['short', 'UBERFALLIG', 'parrot is zoe'])
      assert.deepEqual(await found({ search }), [id], search);
    await say(id, 'My cat.');
    assert.deepEqual([await found({ search: 'parrot' }), await found({ search: 'my cat' })], [[], [id]]);
    await owner.request('PUT', `/calls/${id}/transcript`, { turns: [] });
    assert.deepEqual([await found({ search: 'my cat' }), await found({ search: 'short' })], [[], [id]]);
    await say(id, 'My dog.');
    await service.database.query("update transcripts set at = '2020-01-01T00:00:00.000Z'");
    const storage = await openTestStorage(service.database);
    const [row] = await service.database.query(`select id from workspaces where name = 'default'`);
    const expiry = { workspace: Number(row?.id), before: '', ahead: '' };
    while ((await storage.run(expireTranscripts, null, expiry)) > 0);
    await storage.close();
    assert.deepEqual([await found({ search: 'my dog' }), await found({ search: 'short' })], [[], [id]]);
    assert.deepEqual(await service.database.query("select 1 from call_texts where transcript <> ''"), []);
  });

  it('A search says that earlier calls were not searched when their transcripts are too long together', async () => {
    const early = await recordCall(service, line, newPhone(), {
      summary: 'Early bird.',
      started_at: '2025-01-01T00:00:00Z',
    });
    const late = await recordCall(service, line, newPhone(), {
      summary: 'Late bird.',
      started_at: '2025-01-02T00:00:00Z',
    });
    const search = async (query = '') => {
      const { body } = await owner.call('GET', `/calls?search=bird${query}`);
      return [body.data.map(({ id }: Json) => id), body.pagination.total_is_capped];
    };
    assert.deepEqual(await search(), [[late.id, early.id], false]);
    await service.database.query(
      "update call_texts set size = 50000001 where started_at = '2025-01-02T00:00:00.000Z'",
    );
    assert.deepEqual(await search(), [[late.id], true]);
    assert.deepEqual(await search('&started_before=2025-01-02T00:00:00Z'), [[early.id], false]);
    await service.database.query('update call_texts set size = 0');
  });

  it('Deleting the contact erases note, tags and what idempotency keys keep of them, and none can be added', async () => {
    const { id, contact_id } = await recordCall(service, line, newPhone());
    const headers = { 'Idempotency-Key': 'note once' };
    assert.equal((await patch(id, { note: 'Zanzibar', tags: ['zanzibar'] }, headers)).status, 200);
    await say(id, 'Zanzibar');
    assert.equal((await service.delete(`/v1/contacts/${contact_id}`)).status, 200);
    assert.deepEqual(await remarks(id), { note: null, tags: [] });
    assert.deepEqual([await found({ search: 'zanzibar' }), await found({ tag: 'zanzibar' })], [[], []]);
    for (const [table, column] of [
      ['call_texts', 'text'],
      ['call_texts', 'transcript'],
      ['call_tags', 'tag'],
      ['calls', 'note'],
      ['calls', 'tags'],
      ['events', 'data'],
      ['retries', 'answer'],
    ])
      assert.deepEqual(
        await service.database.query(`select 1 from ${table} where lower(${column}) like '%zanzibar%'`),
        [],
        `${table}.${column}`,
      );
    const refused = await patch(id, { note: 'Again' });
    assert.deepEqual(
      [refused.status, refused.body.error.message],
      [409, 'The contact of this call was deleted, so a note or tags cannot be stored.'],
    );
    assert.equal((await patch(id, { note: null, tags: [] })).status, 200);
  });
});
