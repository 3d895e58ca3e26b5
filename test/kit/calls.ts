import assert from 'node:assert/strict';
import type { Asker } from './described.ts';
import { newPhone } from './factories.ts';
import { sendEvent, type TestChannel } from './hooks.ts';
import type { Json, Reply, TestService } from './service.ts';

/** An agent with its first version deployed. */
export const makeSpeaker = async ({ ask }: Asker, name = 'Speaker'): Promise<Json> => {
  const agent = await ask('POST', '/agents', { name, instructions: 'Words.' }, 201);
  const [version] = (await ask('GET', `/agents/${agent.id}`)).versions;
  await ask('POST', `/agents/${agent.id}/versions/${version.id}/deploy`);
  return { ...agent, version };
};

/** A phone channel, with an agent on it where one is given. */
export const makeLine = async ({ ask }: Asker, agent?: { id: string }): Promise<TestChannel> => {
  const channel = await ask('POST', '/channels', { kind: 'phone', name: 'Line', address: newPhone() }, 201);
  if (agent) await ask('PUT', `/channels/${channel.id}/agent`, { agent_id: agent.id });
  return channel;
};

let count = 0;

/** Tells of a call on a line; a new one unless the fields name it. */
export const tellCall = (
  service: TestService,
  line: TestChannel,
  number: string,
  fields: object = {},
): Promise<Reply> =>
  sendEvent(service, line, {
    type: 'call',
    provider_id: `call ${++count}`,
    direction: 'inbound',
    number,
    ...fields,
  });

/** Tells of a call and gives what was recorded. */
export const hearCall = async (...args: Parameters<typeof tellCall>): Promise<Json> => {
  const reply = await tellCall(...args);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.data;
};
