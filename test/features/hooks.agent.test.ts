import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { userPath } from '../kit/dashboard/user-path.ts';
import {
  deploy,
  makeAgentWithVersions,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
  versionIds,
} from '../kit/fixtures/agents.ts';
import { assertError, comparableReply } from '../kit/http/assertions.ts';
import { KEY, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook } from '../kit/webhooks/channel-hooks.ts';

const NONE = 'channel_01h455vb4pex5vsknk084sn02q';

const NO_CONFIG = { config: {}, config_sha256: hash('sha256', '{}') };

onEveryEngine('Webhook of an agent runtime', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  test('The runtime webhook returns the deployed version from the first deploy until the agent is deleted', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'First "words".\n');
    const [first] = versions as [string];
    const channel = await makeChannel(owner);
    const withoutAgent = comparableReply(await getAgentFromHook(service, channel));
    assertError(await getAgentFromHook(service, channel), 404, 'NOT_FOUND');
    await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: id });
    const undeployed = await getAgentFromHook(service, channel);
    assertError(undeployed, 404, 'NOT_FOUND');
    assert.match(undeployed.body.error.message, /This channel's agent has no deployed version/);
    await deploy(owner, id, first);
    const active = await getAgentFromHook(service, channel);
    assert.equal(active.status, 200);
    assert.deepEqual(active.body, {
      success: true,
      data: {
        agent_id: id,
        version_id: first,
        version_label: 'v1',
        instructions: 'First "words".\n',
        ...NO_CONFIG,
      },
    });
    await service.patch(`/v1/agents/${id}`, { name: 'Renamed', instructions: 'Second words.' });
    assert.deepEqual((await getAgentFromHook(service, channel)).body, active.body, 'a draft is not heard');
    const [, second] = (await versionIds(service, id)) as [string, string];
    await deploy(owner, id, second);
    assert.deepEqual((await getAgentFromHook(service, channel)).body.data, {
      agent_id: id,
      version_id: second,
      version_label: 'v2',
      instructions: 'Second words.',
      ...NO_CONFIG,
    });
    await deploy(owner, id, first);
    assert.deepEqual((await getAgentFromHook(service, channel)).body, active.body, 'after the roll-back');
    await service.delete(`/v1/agents/${id}`);
    assert.deepEqual(comparableReply(await getAgentFromHook(service, channel)), withoutAgent);
  });

  test('The runtime webhook returns 304 for a known ETag of the active version', async () => {
    const { agent, version, channel } = await makeChannelWithAgent(service, owner);
    const active = await getAgentFromHook(service, channel);
    const etag = active.headers.get('etag') ?? '';
    assert.match(etag, /^"[^"]+"$/);
    assert.equal((await getAgentFromHook(service, channel)).headers.get('etag'), etag, 'the same every time');
    const known = [
      etag,
      `W/${etag}`,
      '*',
      `"other", ${etag}`,
      `"other",${etag},"more"`,
      `W/"other" , W/${etag}`,
    ];
    for (const header of known) {
      const reply = await getAgentFromHook(service, channel, { 'if-none-match': header });
      assert.equal(reply.status, 304, header);
      assert.equal(reply.text, '');
      assert.equal(reply.headers.get('etag'), etag);
    }
    for (const header of ['"other"', etag.replaceAll('"', ''), `"${version}x"`, '', `W/"other"`, 'W/']) {
      const reply = await getAgentFromHook(service, channel, { 'if-none-match': header });
      assert.equal(reply.status, 200, header);
      assert.deepEqual(reply.body, active.body);
    }
    await service.patch(`/v1/agents/${agent}`, { instructions: 'Other words.' });
    assert.equal(
      (await getAgentFromHook(service, channel, { 'if-none-match': etag })).status,
      304,
      'still deployed',
    );
    const [, second] = (await versionIds(service, agent)) as [string, string];
    await deploy(owner, agent, second);
    const changed = await getAgentFromHook(service, channel, { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.data.instructions, 'Other words.');
    assert.notEqual(changed.headers.get('etag'), etag);
    await owner.request('DELETE', `/channels/${channel.id}/agent`);
    assertError(await getAgentFromHook(service, channel, { 'if-none-match': '*' }), 404, 'NOT_FOUND');
  });

  test('The runtime webhook rejects every wrong secret alike, for known and unknown channels', async () => {
    const { channel } = await makeChannelWithAgent(service, owner);
    const withoutAgent = await makeChannel(owner);
    const { secret } = channel;
    const headers = [
      null,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
      `Bearer ${withoutAgent.secret}`,
      `Bearer ${secret.slice(0, -1)}`,
      `Bearer ${secret}x`,
      `Bearer ${secret.slice('whsec_'.length)}`,
      `Bearer ${KEY}`,
      'Bearer whsec_',
    ];
    const answers = [];
    for (const id of [channel.id, withoutAgent.id, NONE, 'x', '%00', 'a'.repeat(300)]) {
      for (const authorization of headers) {
        if (id === withoutAgent.id && authorization === `Bearer ${withoutAgent.secret}`) continue;
        const reply = await service.get(`/hooks/channels/${id}/agent`, { headers: { authorization } });
        assertError(reply, 401, 'UNAUTHORIZED');
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
        answers.push(comparableReply(reply));
      }
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  test('The runtime webhook rejects sessions, and a channel secret authenticates nothing else', async () => {
    const { agent, channel } = await makeChannelWithAgent(service, owner);
    const withCookie = { authorization: null, cookie: owner.cookie, origin: service.url };
    assertError(
      await service.get(`/hooks/channels/${channel.id}/agent`, { headers: withCookie }),
      401,
      'UNAUTHORIZED',
    );
    const paths = ['/v1/agents', `/v1/agents/${agent}`, '/v1/contacts', '/api/v1/contacts'];
    for (const path of paths)
      assertError(await service.get(path, { key: channel.secret }), 401, 'UNAUTHORIZED');
    const create = service.post('/v1/contacts', { phone_number: '+14155550100' }, { key: channel.secret });
    assertError(await create, 401, 'UNAUTHORIZED');
    for (const path of ['/session', '/channels', `/channels/${channel.id}`, '/calls', '/keys']) {
      const asKey = await service.get(userPath('GET', path), { key: channel.secret });
      assertError(asKey, 401, 'UNAUTHORIZED');
      const cookie = `roster_session=${channel.secret}`;
      const asSession = await service.get(userPath('GET', path), {
        headers: { authorization: null, cookie },
      });
      assertError(asSession, 401, 'UNAUTHORIZED');
    }
    const asIntegration = await service.post(`/hooks/contacts/${channel.id}`, {}, { key: channel.secret });
    assertError(asIntegration, 401, 'UNAUTHORIZED');
    const found = await service.get('/v1/contacts?search=4155550100');
    assert.deepEqual(found.body.data, []);
  });

  test('The runtime webhook accepts only GET and HEAD', async () => {
    const { channel } = await makeChannelWithAgent(service, owner);
    const path = `/hooks/channels/${channel.id}/agent`;
    const head = await service.call('HEAD', path, undefined, { key: channel.secret });
    assert.equal(head.status, 200);
    assert.match(head.headers.get('etag') ?? '', /^"/);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await service.call(method, path, {}, { key: channel.secret });
      assertError(reply, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(reply.headers.get('allow'), 'GET, HEAD');
    }
    assertError(await service.get(`/hooks/channels/${channel.id}/events`), 405, 'METHOD_NOT_ALLOWED');
  });
});
