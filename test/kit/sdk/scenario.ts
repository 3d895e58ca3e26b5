import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MissingScopeError, Roster } from '../../../sdk/src/index.ts';
import { sendCallEvent } from '../fixtures/calls.ts';
import { createScopedKey } from '../service/scoped-key.ts';
import type { TestService } from '../service/test-service.ts';

const UPSERTED = 1_000;
const phoneOf = (at: number) => `+1415${String(2_000_000 + at)}`;

const writer = fileURLToPath(new URL('./writer.process.ts', import.meta.url));

/** Runs `work` while another process writes contacts, and returns the number of its writes. */
const whileWriting = async (url: string, key: string, work: () => Promise<void>): Promise<number> => {
  const child = fork(writer, [url, key], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  try {
    await work();
  } finally {
    child.send('stop');
  }
  const [writes] = await once(child, 'message');
  await once(child, 'exit');
  return writes as number;
};

/** The work of an integration from start to end, with only a scoped key and the SDK. */
export const runIntegration = async (service: TestService, people: number): Promise<void> => {
  const key = await createScopedKey(
    service.database,
    'contacts:read',
    'contacts:write',
    'imports:write',
    'agents:read',
    'agents:write',
    'agents:deploy',
    'channels:read',
    'channels:write',
    'campaigns:read',
    'campaigns:write',
    'calls:read',
    'audit:read',
  );
  const roster = new Roster({ baseUrl: service.url, apiKey: key });

  const rows = Array.from({ length: people }, (_, at) => `${phoneOf(at)},Person ${at}\n`);
  const file = new Blob(['phone,first name\n', ...rows], { type: 'text/csv' });
  const planned = await roster.imports.create(file, { name: 'people.csv' });
  assert.deepEqual([planned.state, planned.rows, planned.totals.create], ['planned', people, people]);
  await roster.imports.apply(planned.id);
  const states: string[] = [];
  for await (const { state } of roster.imports.events(planned.id)) states.push(state);
  assert.equal(states.at(-1), 'applied');
  const applied = await roster.imports.wait(planned.id);
  assert.equal(applied.totals.created, people);

  // Half of them exist.
  const first = people - UPSERTED / 2;
  const upserts = Array.from({ length: UPSERTED }, (_, at) => ({
    op: 'upsert' as const,
    phone_number: phoneOf(first + at),
    tags: ['wave'],
  }));
  const batch = await roster.contacts.batch(upserts);
  assert.deepEqual(
    [batch.created, batch.updated, batch.failed, batch.results.length],
    [UPSERTED / 2, UPSERTED / 2, 0, UPSERTED],
  );

  const seen = new Map<string, number>();
  const writes = await whileWriting(service.url, key, async () => {
    for await (const { phone_number } of roster.contacts.list())
      seen.set(phone_number, (seen.get(phone_number) ?? 0) + 1);
  });
  assert.ok(writes > 0);
  const expected = people + UPSERTED / 2;
  const missing = Array.from({ length: expected }, (_, at) => phoneOf(at)).filter(
    (phone) => seen.get(phone) !== 1,
  );
  assert.deepEqual(missing, [], 'every contact that existed throughout is seen exactly once');

  const agent = await roster.agents.create({ name: 'Dialer', instructions: 'Greet the person.' });
  await roster.agents.deploy(agent.id, 'v1', { note: 'The first one.' });
  await roster.agents.update(agent.id, { instructions: 'Greet the person by name.' });
  const diff = await roster.agents.compareVersions(agent.id, 'v1', 'v2');
  assert.deepEqual([diff.added, diff.removed], [1, 1]);
  assert.equal((await roster.agents.previewDeploy(agent.id, 'v2')).version.version_label, 'v2');
  assert.equal((await roster.agents.deploy(agent.id, 'v2', { note: 'By name.' })).version_label, 'v2');
  const back = await roster.agents.rollBack(agent.id, { from: 'v2', note: 'Too personal.' });
  assert.deepEqual([back.version_label, back.changed], ['v1', true]);
  const deploys = await roster.agents.listDeploys(agent.id).all();
  assert.deepEqual(
    deploys.map(({ version_label }) => version_label),
    ['v1', 'v2', 'v1'],
  );

  const campaign = await roster.campaigns.create({ name: 'Wave', agent_id: agent.id, status: 'active' });
  assert.equal((await roster.campaigns.enroll(campaign.id, { tag: 'wave' })).enrolled, UPSERTED);
  const { claims, version } = await roster.campaigns.claim(campaign.id, { limit: 10 });
  assert.deepEqual([claims.length, version?.instructions], [10, 'Greet the person.']);
  for (const { claim_id, contact } of claims)
    await roster.campaigns.updateEnrollment(campaign.id, contact.id, {
      claim_id,
      status: 'completed',
      outcome: 'reached',
    });
  const { pagination } = await roster.campaigns.listEnrollments(campaign.id, { status: 'completed' }).page();
  assert.equal(pagination.total, 10);

  const channel = await roster.channels.create({ kind: 'phone', name: 'Out', address: '+14155550199' });
  await roster.channels.connect(channel.id, { agent_id: agent.id });
  assert.equal((await sendCallEvent(service, channel, phoneOf(0))).status, 200);
  const [call] = await roster.calls.list({ agent_id: agent.id }).all();
  assert.equal(call?.version_label, 'v1');

  const lines: string[] = [];
  const download = await roster.contacts.export({ format: 'jsonl', tag: 'wave' });
  for await (const line of download.lines()) lines.push(JSON.parse(line).phone_number);
  assert.equal(lines.length, UPSERTED);

  const actions = new Set<string>();
  for await (const entry of roster.audit.list()) {
    actions.add(entry.action);
    if (entry.action === 'contact.created' && actions.size > 8) break;
  }
  assert.ok(actions.size >= 8, [...actions].join());
  await assert.rejects(
    roster.keys.list().page(),
    (error) => error instanceof MissingScopeError && error.requiredScope === 'admin',
  );
};
