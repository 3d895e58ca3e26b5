import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makePhoneChannel, recordCall } from '../kit/fixtures/calls.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeLegacyContact } from '../kit/fixtures/legacy-contacts.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const UNKNOWN_ID = 'contact_01h455vb4pex5vsknk084sn02q';

onEveryEngine('Bulk jobs of chosen contacts', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const run = async (job: Json) => {
    const { changed, unchanged, missing, blocked } = await runBulkJob(owner, job);
    return { changed, unchanged, missing, blocked };
  };
  const tag = (ids: string[], change: object) => run({ action: 'tag', selection: { ids }, ...change });
  const remove = (ids: string[]) => run({ action: 'delete', selection: { ids } });
  const none = { changed: 0, unchanged: 0, missing: 0, blocked: 0 };
  const make = (tags: string[] = []) => makeContact(service, { tags });
  const get = async (id: string) => (await service.get(`/v1/contacts/${id}`)).body.data;
  const totalOf = async (name: string) =>
    (await service.get(`/v1/contacts?tag=${encodeURIComponent(name)}`)).body.pagination.total;

  test('Tagging a selection appends new tags, removes others and keeps the order of the rest', async () => {
    const [a, b, c] = [await make(['x', 'y']), await make(['y', 'new']), await make()];
    const done = await tag([a.id, b.id, c.id], { add: ['new', 'más'], remove: ['y', 'absent'] });
    assert.deepEqual(done, { ...none, changed: 3 });
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

  test('Unknown ids and ids of another workspace are counted once each', async () => {
    const { owner: other } = await makeOtherWorkspace(service);
    const theirs = await other.request('POST', '/contacts', { phone_number: newPhone(), tags: ['s'] }, 201);
    const mine = await make(['s']);
    const ids = [mine.id, theirs.id, UNKNOWN_ID, UNKNOWN_ID, mine.id];
    assert.deepEqual(await tag(ids, { add: ['found'] }), { ...none, changed: 1, missing: 2 });
    assert.deepEqual(await remove(ids), { ...none, changed: 1, missing: 2 });
    assert.deepEqual(await remove(ids), { ...none, missing: 3 });
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
    assert.deepEqual(await tag([id, uuid], { add: ['u'] }), { ...none, changed: 1 });
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
    assert.deepEqual(await remove(ids), { ...none, changed: 3 });
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
    assert.deepEqual([one.changed + two.changed, one.missing + two.missing], [20, 20]);
    assert.equal(await totalOf('together'), 0);
  });
});
