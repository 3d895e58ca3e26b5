import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../db/db.ts';
import { findAgentOfChannel } from '../channels/channel.store.ts';
import { prepareSession, type SessionInput } from './session.service.ts';

const input = { channel: 'c', agent: 'a', near: '', provider_id: 'p', direction: 'inbound' } as SessionInput;

/** The most reads that ran beside another one, in a database where only the agent of the channel is read immediately. */
const concurrentReads = async (agent: { agent_id: string } | undefined): Promise<number> => {
  let running = 0;
  let most = 0;
  const get = async (statement: unknown) => {
    if (statement === findAgentOfChannel) return agent;
    most = Math.max(most, ++running);
    await pause(20);
    running--;
    return undefined;
  };
  const prepared = prepareSession({ get } as unknown as Db, { workspace: 1, actor: 'k' }, input);
  await assert.rejects(async () => prepared, { code: 'NOT_FOUND' });
  assert.equal(running, 0);
  return most;
};

test('A session is prepared again, or looked up, only after the first attempt has ended', async () => {
  assert.equal(await concurrentReads({ agent_id: 'b' }), 1, 'the agent of the channel was replaced');
  assert.equal(await concurrentReads(undefined), 1, 'the channel was deleted');
});
