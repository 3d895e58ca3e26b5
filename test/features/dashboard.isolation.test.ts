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

/** An identifier of the same kind that names nothing. */
const nothingLike = (id: string): string => {
  const prefix = /^([a-z]+)_/.exec(id)?.[1];
  return prefix ? typeId(prefix).create() : randomUUID();
};

/** In every slot of every path: test/attacks/isolation.test.ts. */
onEveryEngine('Records of another workspace', (service) => {
  let mine: CheckedUser;
  let theirs: CheckedUser;
  let own: Operation[];
  let foreign: Operation[];
  let world: RecordSet;
  let foreignWorld: RecordSet;
  const look = async () => {
    const reads = foreign.filter(({ method }) => method === 'GET');
    const replies = await Promise.all(reads.map((each) => theirs.call('GET', pathOf(each))));
    return replies.map(({ status, text }) => ({ status, text }));
  };
  before(async () => {
    mine = await checkedUser(service, await signedInUser(service));
    theirs = (await makeOtherWorkspace(service)).owner;
    world = await makeRecordSet(service, mine);
    foreignWorld = await makeRecordSet(service, theirs);
    own = everyOperation(world);
    foreign = everyOperation(foreignWorld);
  });

  const sameAnswer = async (
    foreignCall: () => Promise<Reply>,
    emptyCall: () => Promise<Reply>,
    title: string,
  ) => {
    const [there, nowhere] = [await foreignCall(), await emptyCall()];
    assert.deepEqual(comparableReply(there), comparableReply(nowhere), title);
    return there;
  };

  test('A foreign id in a request body gets the same answer as an unknown one', async () => {
    const before = await look();
    const agent = (id: string) => [
      () => mine.call('POST', '/campaigns', { name: 'Mine', agent_id: id }),
      () => mine.call('PATCH', `/campaigns/${world.campaign.id}`, { agent_id: id }),
      () => mine.call('PUT', `/channels/${world.channel.id}/agent`, { agent_id: id }),
    ];
    const [there, nowhere] = [agent(foreignWorld.agent.id), agent(randomUUID())];
    for (const [at, call] of there.entries()) {
      const reply = await sameAnswer(call, nowhere[at] as () => Promise<Reply>, `body ${at}`);
      assert.equal(reply.status, 404, reply.text);
    }
    const campaign = await mine.request('GET', `/campaigns/${world.campaign.id}`);
    assert.equal(campaign.agent.id, world.agent.id);
    assert.equal((await mine.request('GET', `/channels/${world.channel.id}`)).agent.id, world.agent.id);
    assert.deepEqual(await look(), before);
  });

  test('Foreign contacts cannot be enrolled by id, tag or search', async () => {
    const before = await look();
    const enroll = (body: object) =>
      mine.request('POST', `/campaigns/${world.campaign.id}/enrollments`, body);
    for (const id of [foreignWorld.contact.id, nothingLike(foreignWorld.contact.id)]) {
      assert.deepEqual(await enroll({ contact_ids: [id] }), {
        enrolled: 0,
        already_enrolled: 0,
        not_found: [id],
      });
    }
    assert.deepEqual(await enroll({ tag: 'world' }), { enrolled: 0, already_enrolled: 1, not_found: [] });
    const number = foreignWorld.contact.phone_number;
    assert.deepEqual(await enroll({ search: number }), { enrolled: 0, already_enrolled: 0, not_found: [] });
    assert.deepEqual(await look(), before);
  });

  test('A foreign id in a query gets the same answer as an unknown one', async () => {
    for (const [name, id] of [
      ['contact_id', foreignWorld.contact.id],
      ['channel_id', foreignWorld.channel.id],
      ['agent_id', foreignWorld.agent.id],
    ]) {
      const ask = (value: string) => () => mine.call('GET', `/calls?${name}=${value}`);
      const reply = await sameAnswer(ask(id), ask(nothingLike(id)), `${name}`);
      assert.deepEqual(reply.body.data, []);
      assert.equal(reply.body.pagination.total, 0);
    }
    const found = await mine.call(
      'GET',
      `/contacts?search=${encodeURIComponent(foreignWorld.contact.phone_number)}`,
    );
    assert.deepEqual(found.body.pagination.total, 0);
  });

  test('Foreign records appear in no list and no statistic', async () => {
    const texts = await Promise.all(
      own
        .filter(({ method, params }) => method === 'GET' && Object.keys(params).length === 0)
        .map(async (each) => (await mine.call('GET', pathOf(each))).text),
    );
    for (const [kind, record] of Object.entries(foreignWorld)) {
      for (const text of texts)
        assert.equal(text.includes(record.id), false, `the ${kind} of the other workspace`);
    }
    const figures = await mine.request('GET', '/figures');
    assert.deepEqual(
      [figures.contacts, figures.agents, figures.channels, figures.recent_deploys.length],
      [1, 1, 1, 1],
    );
  });
});
