import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { typeId } from '../../src/lib/ids.ts';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import {
  everyOperation,
  makeRecordSet,
  type Operation,
  pathOf,
  type RecordSet,
} from '../kit/dashboard/operations.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { comparableReply } from '../kit/http/assertions.ts';
import { onEveryEngine, type Reply } from '../kit/service/test-service.ts';

/** An unknown id of the same kind. */
const unknownIdLike = (id: string): string => {
  const prefix = /^([a-z]+)_/.exec(id)?.[1];
  return prefix ? typeId(prefix).create() : randomUUID();
};

/** test/attacks/isolation.test.ts checks every path parameter. */
onEveryEngine('Records of another workspace', (service) => {
  let user: CheckedUser;
  let otherUser: CheckedUser;
  let operations: Operation[];
  let otherOperations: Operation[];
  let records: RecordSet;
  let otherRecords: RecordSet;
  const readOtherRecords = async () => {
    // Background work adds the newest event, which the session names, and compares contacts.
    const reads = otherOperations.filter(
      ({ method, path }) => method === 'GET' && !/^\/(?:session|live|duplicates)$/.test(path),
    );
    const replies = [];
    // One after the other: a user can have three downloads open.
    for (const each of reads) {
      const { status, text } = await otherUser.call('GET', pathOf(each));
      replies.push({ status, text });
    }
    return replies;
  };
  before(async () => {
    user = await checkedUser(service, await signedInUser(service));
    otherUser = (await makeOtherWorkspace(service)).owner;
    records = await makeRecordSet(service, user);
    otherRecords = await makeRecordSet(service, otherUser);
    operations = everyOperation(records);
    otherOperations = everyOperation(otherRecords);
  });

  const assertSameReply = async (
    foreignCall: () => Promise<Reply>,
    emptyCall: () => Promise<Reply>,
    title: string,
  ) => {
    const [there, nowhere] = [await foreignCall(), await emptyCall()];
    assert.deepEqual(comparableReply(there), comparableReply(nowhere), title);
    return there;
  };

  test('A foreign id in a request body gets the same answer as an unknown one', async () => {
    const before = await readOtherRecords();
    const agent = (id: string) => [
      () => user.call('POST', '/campaigns', { name: 'Mine', agent_id: id }),
      () => user.call('PATCH', `/campaigns/${records.campaign.id}`, { agent_id: id }),
      () => user.call('PUT', `/channels/${records.channel.id}/agent`, { agent_id: id }),
    ];
    const [there, nowhere] = [agent(otherRecords.agent.id), agent(randomUUID())];
    for (const [at, call] of there.entries()) {
      const reply = await assertSameReply(call, nowhere[at] as () => Promise<Reply>, `body ${at}`);
      assert.equal(reply.status, 404, reply.text);
    }
    const campaign = await user.request('GET', `/campaigns/${records.campaign.id}`);
    assert.equal(campaign.agent.id, records.agent.id);
    assert.equal((await user.request('GET', `/channels/${records.channel.id}`)).agent.id, records.agent.id);
    assert.deepEqual(await readOtherRecords(), before);
  });

  test('Foreign contacts cannot be enrolled by id, tag or search', async () => {
    const before = await readOtherRecords();
    const enroll = (body: object) =>
      user.request('POST', `/campaigns/${records.campaign.id}/enrollments`, body);
    for (const id of [otherRecords.contact.id, unknownIdLike(otherRecords.contact.id)]) {
      assert.deepEqual(await enroll({ contact_ids: [id] }), {
        enrolled: 0,
        already_enrolled: 0,
        not_found: [id],
      });
    }
    assert.deepEqual(await enroll({ tag: 'world' }), { enrolled: 0, already_enrolled: 1, not_found: [] });
    const number = otherRecords.contact.phone_number;
    assert.deepEqual(await enroll({ search: number }), { enrolled: 0, already_enrolled: 0, not_found: [] });
    assert.deepEqual(await readOtherRecords(), before);
  });

  test('A foreign id in a query gets the same answer as an unknown one', async () => {
    for (const [name, id] of [
      ['contact_id', otherRecords.contact.id],
      ['channel_id', otherRecords.channel.id],
      ['agent_id', otherRecords.agent.id],
    ]) {
      const ask = (value: string) => () => user.call('GET', `/calls?${name}=${value}`);
      const reply = await assertSameReply(ask(id), ask(unknownIdLike(id)), `${name}`);
      assert.deepEqual(reply.body.data, []);
      assert.equal(reply.body.pagination.total, 0);
    }
    const found = await user.call(
      'GET',
      `/contacts?search=${encodeURIComponent(otherRecords.contact.phone_number)}`,
    );
    assert.deepEqual(found.body.pagination.total, 0);
  });

  test('Foreign records appear in no list and no statistic', async () => {
    const texts: string[] = [];
    for (const each of operations) {
      if (each.method !== 'GET' || Object.keys(each.params).length > 0) continue;
      const reply = await user.call('GET', pathOf(each));
      assert.equal(reply.status, 200, reply.text);
      texts.push(reply.text);
    }
    for (const [kind, record] of Object.entries(otherRecords)) {
      for (const text of texts)
        assert.equal(text.includes(record.id), false, `the ${kind} of the other workspace`);
    }
    const figures = await user.request('GET', '/figures');
    assert.deepEqual([figures.contacts, figures.agents, figures.channels], [4, 1, 1]);
  });
});
