import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { differences } from '../kit/database/table-dump.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { dumpRecords, insertCalls, type MergeApi, mergeApi } from '../kit/fixtures/merges.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const CALLS = 2_050;

onEveryEngine('Merges of contacts with many calls', (service) => {
  let api: MergeApi;
  let channel: Json;
  before(async () => {
    api = await mergeApi(service);
    channel = await makeChannel(await signedInOwner(service));
  });

  const total = async (path: string): Promise<number> => (await api.call('GET', path)).body.pagination.total;

  test('All calls move in steps, and an undo moves them back', async () => {
    const [survivor, other] = [await makeContact(service), await makeContact(service)];
    await insertCalls(service.database, { channel: channel.id, contact: other.id, count: CALLS });
    const before = await dumpRecords(service);
    const merged = await api.merge(survivor.id, [other.id]);
    assert.deepEqual([merged.status, merged.moved.calls], ['moving', CALLS]);
    assert.equal(await total(`/calls?contact_id=${survivor.id}`), CALLS);
    await api.settled(merged.id);
    const left = async (contact: string) =>
      Number(
        (await service.database.query('select count(*) as count from calls where contact_id = ?', contact))[0]
          ?.count,
      );
    assert.deepEqual([await left(survivor.id), await left(other.id)], [CALLS, 0]);
    assert.equal((await api.undo(merged.id)).body.data.status, 'undoing');
    assert.equal((await api.settled(merged.id)).status, 'undone');
    assert.deepEqual([await left(survivor.id), await left(other.id)], [0, CALLS]);
    assert.deepEqual(differences(before, await dumpRecords(service)), []);
  });

  test('While calls move, they are read as those of the survivor', async () => {
    const [survivor, other] = [await makeContact(service), await makeContact(service)];
    await insertCalls(service.database, {
      channel: channel.id,
      contact: other.id,
      count: 3,
      status: 'no_answer',
    });
    const merged = await api.merge(survivor.id, [other.id]);
    const { query } = service.database;
    // As after the first step of many.
    await query('update merged_contacts set moving = 1 where merge_id = ?', merged.id);
    await query(`update merges set status = 'moving' where id = ?`, merged.id);
    const [oldest] = await query(
      'select id from calls where contact_id = ? order by started_at limit 1',
      survivor.id,
    );
    await query(
      'update calls set contact_id = ? where contact_id = ? and id <> ?',
      other.id,
      survivor.id,
      String(oldest?.id),
    );
    const list = (await api.call('GET', `/calls?contact_id=${survivor.id}&sort=-started_at`)).body.data;
    assert.deepEqual(
      list.map(({ contact_id }: Json) => contact_id),
      [survivor.id, survivor.id, survivor.id],
    );
    assert.equal(await total(`/calls?contact_id=${survivor.id}&status=no_answer`), 3);
    const { entries } = (await api.call('GET', `/contacts/${survivor.id}/timeline`)).body.data;
    assert.equal(entries.filter(({ kind }: Json) => kind === 'call').length, 3);
    await query(`update calls set status = 'busy' where contact_id = ?`, other.id);
    const filter = encodeURIComponent(JSON.stringify({ attribute: 'call_status', op: 'eq', value: 'busy' }));
    const found = (await api.call('GET', `/contacts?filter=${filter}`)).body.data;
    assert.deepEqual(
      found.map(({ id }: Json) => id),
      [survivor.id],
    );
    const another = await makeContact(service);
    const refused = await api.call('POST', '/merges', {
      survivor_id: survivor.id,
      other_ids: [another.id],
      plan_token: (await api.plan(survivor.id, [another.id])).plan_token,
    });
    assertError(refused, 409, 'CONFLICT');
    assert.deepEqual(refused.body.error.details, { merge_id: merged.id });
    assert.equal((await service.delete(`/v1/contacts/${survivor.id}`)).status, 200);
    const linked = await query(
      'select count(*) as count from calls where contact_id in (?, ?)',
      survivor.id,
      other.id,
    );
    assert.equal(Number(linked[0]?.count), 0);
  });
});
