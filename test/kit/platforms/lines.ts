import assert from 'node:assert/strict';
import type { CheckedUser } from '../dashboard/checked-client.ts';
import { deploy, makeAgentWithVersions, makeChannel, signedInOwner, versionIds } from '../fixtures/agents.ts';
import { makeContact, newPhone } from '../fixtures/factories.ts';
import { makeField } from '../fixtures/fields.ts';
import type { Json, Reply, TestService } from '../service/test-service.ts';
import type { TestChannel } from '../webhooks/channel-hooks.ts';

/** What changes when a platform starts or reports a call. */
export const PLATFORM_TABLES = ['call_sessions', 'calls', 'contacts', 'transcripts'];

/** A workspace that platforms call: with a field, a disposition and transcripts. */
export const openPlatformLines = async (service: TestService) => {
  const owner: CheckedUser = await signedInOwner(service);
  await makeField(service, 'plan', 'text');
  await owner.request('PUT', '/call-settings', {
    dispositions: [{ key: 'booked', label: 'Booked' }],
    field_rules: [],
    transcript_days: 30,
  });
  const deployNewest = async (agent: string) =>
    deploy(owner, agent, (await versionIds(service, agent)).at(-1) as string);
  return {
    owner,
    /** A channel of a platform, whose agent has a deployed version with a config. */
    makeLine: async (
      adapter: string,
      config: Json = {},
      platform_secret: string | null = null,
    ): Promise<{ agent: string; channel: TestChannel }> => {
      const { id: agent } = await makeAgentWithVersions(service, 'Draft.');
      const sent = { instructions: 'Hi {{first_name|there}}, {{plan}}.', config };
      assert.equal((await service.post(`/v1/agents/${agent}/versions`, sent)).status, 201);
      await deployNewest(agent);
      const channel = (await makeChannel(owner, { adapter, platform_secret })) as TestChannel & Json;
      await owner.request('PUT', `/channels/${channel.id}/agent`, { agent_id: agent });
      return { agent, channel };
    },
    deployNewest,
    /** Deploys a version with another text. */
    deployOther: async (agent: string) => {
      await service.patch(`/v1/agents/${agent}`, { instructions: 'Other words.' });
      await deployNewest(agent);
    },
    ada: () =>
      makeContact(service, { phone_number: newPhone(), first_name: 'Ada', fields: { plan: 'gold' } }),
    callOf: async (contact_id: string): Promise<Json> => {
      const { body } = await owner.call('GET', `/calls?contact_id=${contact_id}`);
      assert.equal(body.data.length, 1);
      return body.data[0];
    },
    /** What was said in a call. */
    turnsOf: async (call: string): Promise<Json[]> =>
      (await owner.request('GET', `/calls/${call}/transcript`)).turns,
  };
};
export type PlatformLines = Awaited<ReturnType<typeof openPlatformLines>>;

/** The reply to a start. On a busy machine, a session can be degraded: then it is started again. */
export const notDegraded = async (send: () => Promise<Reply>): Promise<Reply> => {
  const reply = await send();
  assert.equal(reply.status, 200, reply.text);
  return reply.text.includes('degraded_') ? notDegraded(send) : reply;
};

/** Asserts some members of a record. */
export const assertMembers = (record: Json, expected: Json): void => {
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(record[name], value, name);
};
