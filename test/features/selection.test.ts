import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { assertTablesUnchanged, signedInOwner } from '../kit/fixtures/agents.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { assertInvalid } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['contacts', 'contact_tags', 'tallies', 'calls', 'enrollments'];
const UNKNOWN_ID = 'contact_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Selections of contacts', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const tag = (ids: string[], change: object) =>
    owner.request('POST', '/contacts/selection/tags', { ids, ...change });
  const remove = (ids: string[]) => owner.request('POST', '/contacts/selection/delete', { ids });
  const make = (tags: string[] = []) => makeContact(service, { tags });
  const get = async (id: string) => (await service.get(`/v1/contacts/${id}`)).body.data;
  const totalOf = async (name: string) =>
    (await service.get(`/v1/contacts?tag=${encodeURIComponent(name)}`)).body.pagination.total;

  test('Tagging a selection appends new tags, removes others and keeps the order of the rest', async () => {
    const [a, b, c] = [await make(['x', 'y']), await make(['y', 'new']), await make()];
    const done = await tag([a.id, b.id, c.id], { add: ['new', 'más'], remove: ['y', 'absent'] });
    assert.deepEqual(done, { changed: 3, missing: 0, blocked: [] });
    const now = await Promise.all([a, b, c].map(({ id }) => get(id)));
    assert.deepEqual(
      now.map(({ tags }) => tags),
      [
        ['x', 'new', 'más'],
        ['new', 'más'],
        ['new', 'más'],
      ],
    );
    for (const [at, contact] of now.entries()) {
      const made = [a, b, c][at] as Json;
      const { tags, updated_at } = contact;
      assert.ok(updated_at > made.updated_at);
      assert.deepEqual({ ...contact, ...made, tags, updated_at }, contact, 'nothing else has changed');
    }
    assert.deepEqual([await totalOf('new'), await totalOf('y'), await totalOf('más')], [3, 0, 3]);
  });

  test('Tagging skips unchanged contacts and names those that would have too many tags', async () => {
    const full = await make(Array.from({ length: 50 }, (_, at) => `t${at}`));
    const [has, lacks] = [await make(['k']), await make()];
    const done = await tag([has.id, lacks.id, full.id], { add: ['k'] });
    const { blocked, ...rest } = done;
    assert.deepEqual(rest, { changed: 1, missing: 0 });
    assert.deepEqual(blocked, [
      { id: full.id, reason: 'The contact would have 51 tags; the maximum is 50.' },
    ]);
    assert.equal((await get(has.id)).updated_at, has.updated_at);
    assert.deepEqual((await get(full.id)).tags, full.tags);
    assert.deepEqual(await tag([full.id], { add: ['k'], remove: ['t0'] }), {
      changed: 1,
      missing: 0,
      blocked: [],
    });
    assert.deepEqual(await tag([has.id], { remove: ['none'] }), { changed: 0, missing: 0, blocked: [] });
  });

  test('Unknown ids and ids of another workspace are counted once each', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const theirs = await other.request('POST', '/contacts', { phone_number: newPhone(), tags: ['s'] }, 201);
    const mine = await make(['s']);
    const ids = [mine.id, theirs.id, UNKNOWN_ID, UNKNOWN_ID, 'nothing', mine.id];
    assert.deepEqual(await tag(ids, { add: ['found'] }), { changed: 1, missing: 3, blocked: [] });
    assert.deepEqual(await remove(ids), { deleted: 1, missing: 3, blocked: [] });
    assert.deepEqual(await remove(ids), { deleted: 0, missing: 4, blocked: [] });
    assert.deepEqual(await remove([]), { deleted: 0, missing: 0, blocked: [] });
    assert.deepEqual((await other.request('GET', `/contacts/${theirs.id}`)).tags, ['s']);
  });

  test('Contacts can be selected by UUID, and both ids of a contact count once', async () => {
    const { id } = await make();
    const digits = [...id.slice('contact_'.length)].reduce(
      (sum, letter) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter)),
      0n,
    );
    const hex = digits.toString(16).padStart(32, '0');
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    assert.deepEqual(await tag([id, uuid], { add: ['u'] }), { changed: 1, missing: 0, blocked: [] });
  });

  test('Deleting a selection unlinks calls and removes enrollments and counts as a single delete does', async () => {
    const line = await makePhoneChannel(owner);
    const gone = [await make(['d']), await make(['d'])];
    const legacy = await makeLegacyContact(service, 'conflicting', { tags: ['d'] });
    const stays = await make(['d']);
    const call = await recordCall(service, line, gone[0]?.phone_number);
    const agent = await owner.request('POST', '/agents', { name: 'A', instructions: '' }, 201);
    const campaign = await owner.request('POST', '/campaigns', { name: 'C', agent_id: agent.id }, 201);
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { tag: 'd' });
    const before = (await owner.request('GET', '/figures')).contacts;
    const ids = [...gone.map(({ id }) => id), legacy.contact.id];
    assert.deepEqual(await remove(ids), { deleted: 3, missing: 0, blocked: [] });
    for (const id of ids) assert.equal((await service.get(`/v1/contacts/${id}`)).status, 404);
    assert.deepEqual(
      [(await owner.request('GET', '/figures')).contacts, await totalOf('d')],
      [before - 3, 1],
    );
    const { contact_id, number, contact_name } = await owner.request('GET', `/calls/${call.id}`);
    assert.deepEqual([contact_id, number, contact_name], [null, null, null]);
    assert.deepEqual(
      (await owner.request('GET', `/campaigns/${campaign.id}`)).enrolled,
      enrollmentCounts({ pending: 1 }),
    );
    const phone = encodeURIComponent(gone[1]?.phone_number);
    assert.deepEqual(await owner.request('GET', `/contacts?search=${phone}`), []);
    assert.equal((await get(stays.id)).id, stays.id);
    assert.deepEqual(
      (await owner.request('GET', `/campaigns/${campaign.id}/enrollments`)).map(
        ({ contact_id }: Json) => contact_id,
      ),
      [stays.id],
    );
  });

  test('A selection has at most five hundred contacts', async () => {
    const ids = Array.from({ length: 500 }, (_, at) => `nobody ${at}`);
    assert.equal((await remove(ids)).missing, 500);
    const more = { ids: [...ids, 'one more'] };
    assertInvalid(await owner.call('POST', '/contacts/selection/delete', more), 'ids');
    assertInvalid(await owner.call('POST', '/contacts/selection/tags', { ...more, add: ['a'] }), 'ids');
  });

  test('An invalid selection is rejected as a whole, and nothing is written', async () => {
    const { id } = await make(['a']);
    const refused: [Json, string][] = [
      [{ ids: [id] }, 'add'],
      [{ ids: [id], add: [], remove: [] }, 'add'],
      [{ ids: [id], add: ['a', 'b'], remove: ['b'] }, 'remove'],
      [{ ids: [id], add: [''] }, 'add[0]'],
      [{ ids: [id], remove: ['x'.repeat(65)] }, 'remove[0]'],
      [{ ids: [id], add: Array.from({ length: 51 }, (_, at) => `${at}`) }, 'add'],
      [{ ids: id, add: ['b'] }, 'ids'],
      [{ add: ['b'] }, 'ids'],
      [{ ids: [id], add: ['b'], tags: [] }, 'tags'],
    ];
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const [body, field] of refused) {
        assertInvalid(await owner.call('POST', '/contacts/selection/tags', body), field);
      }
      assertInvalid(await owner.call('POST', '/contacts/selection/delete', {}), 'ids');
      assertInvalid(await owner.call('POST', '/contacts/selection/delete', { ids: [3] }), 'ids[0]');
    });
  });

  test('Concurrent changes of a selection lose no tag and no count', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => make(['together'])));
    const ids = made.map(({ id }) => id);
    const sides = [ids, ids.toReversed(), ids.slice(5), ids.slice(0, 15).toReversed()];
    const replies = await Promise.all(sides.map((each, at) => tag(each, { add: [`side ${at}`] })));
    assert.deepEqual(
      replies.map(({ changed }) => changed),
      [20, 20, 15, 15],
    );
    const counts = await Promise.all([0, 1, 2, 3].map((at) => totalOf(`side ${at}`)));
    assert.deepEqual(counts, [20, 20, 15, 15]);
    const [one, two] = await Promise.all([remove(ids), remove(ids.toReversed())]);
    assert.deepEqual([one.deleted + two.deleted, one.missing + two.missing], [20, 20]);
    assert.equal(await totalOf('together'), 0);
  });
});
