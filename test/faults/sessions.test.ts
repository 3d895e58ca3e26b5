import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDegraded } from '../../src/features/calls/session.find.ts';
import { engines, postgresOn, type TestDatabase } from '../kit/database/engines.ts';
import { lockRecords } from '../kit/database/locks.ts';
import { startPostgres } from '../kit/database/postgres-server.ts';
import { withRestartableService } from '../kit/faults/restartable-service.ts';
import {
  makeAgentWithVersions,
  makeChannel,
  makeChannelWithAgent,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { assertConsistent } from '../kit/load/acknowledged-writes.ts';
import { API_KEY, callEvent, ENDED, inbound, sendRetell } from '../kit/platforms/retell.ts';
import { assistantRequest, endOfCallReport, sendVapi } from '../kit/platforms/vapi.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import {
  type Json,
  KEY,
  type Reply,
  startTestService,
  type TestService,
} from '../kit/service/test-service.ts';
import { sendEvent, startSession, type TestChannel } from '../kit/webhooks/channel-hooks.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const TEXT = 'Hi {{first_name|there}}, {{company}} at {{email|noon}}.';
const NUMBER = '+14155550123';
/** The promised second, and what a busy machine may add. */
const MOST_MS = 1_000;

const prepare = async (service: TestService) => {
  const owner = await signedInOwner(service);
  const { agent, version, channel } = await makeChannelWithAgent(service, owner, TEXT);
  await makeContact(service, { phone_number: NUMBER, first_name: 'Ada' });
  const lines = await Promise.all(
    ['vapi', 'retell'].map(async (adapter) => {
      const platform_secret = adapter === 'retell' ? API_KEY : null;
      const line = await makeChannel(owner, { adapter, platform_secret });
      await owner.request('PUT', `/channels/${line.id}/agent`, { agent_id: agent });
      return line;
    }),
  );
  const [vapi, retell] = lines as [TestChannel, TestChannel];
  return { owner, version, channel: channel as unknown as TestChannel, vapi, retell };
};

const timed = async (request: () => Promise<Reply>): Promise<Reply> => {
  const began = performance.now();
  const reply = await request();
  const ms = performance.now() - began;
  assert.ok(ms < MOST_MS, `answered after ${ms} ms`);
  return reply;
};

/** Asks both platforms' hooks, and returns the instructions and the sessions that they get. */
const askPlatforms = async (
  service: TestService,
  { vapi, retell }: Record<'vapi' | 'retell', TestChannel>,
) => {
  const request = assistantRequest(`call-${performance.now()}`, NUMBER);
  const { assistant } = (await timed(() => sendVapi(service, vapi, request))).body;
  const { call_inbound } = (await timed(() => sendRetell(service, retell, inbound(NUMBER)))).body;
  return {
    texts: [assistant.model.messages[0].content, call_inbound.dynamic_variables.instructions] as string[],
    metadata: [assistant.metadata, call_inbound.metadata] as { roster_session_id: string }[],
  };
};

/** Returns the id of the session. */
const assertDegraded = ({ status, text, body }: Reply, version: string): string => {
  assert.equal(status, 201, text);
  const { session_id, degraded, contact, recent, instructions, holes, variables, config } = body.data;
  assert.equal(parseDegraded(session_id), version);
  assert.deepEqual(body.data.version, { id: version, version_label: 'v1' });
  assert.deepEqual(
    { degraded, contact, recent, instructions, holes, variables, config },
    {
      degraded: true,
      contact: null,
      recent: [],
      instructions: 'Hi there, Acme at noon.',
      holes: [],
      variables: { company: 'Acme' },
      config: {},
    },
  );
  return session_id;
};

/** Starts sessions during a fault, and reports their calls afterwards. A secret is wrong only if the database can be asked. */
const startDuring = async (
  service: TestService,
  direct: TestDatabase,
  begin: () => Promise<() => Promise<unknown>>,
  refusal: 'UNAUTHORIZED' | 'UNAVAILABLE',
): Promise<void> => {
  const { owner, version, channel, ...platformLines } = await prepare(service);
  const body = (provider_id: string) => ({
    provider_id,
    direction: 'inbound',
    number: NUMBER,
    variables: { company: 'Acme' },
  });
  const complete = await startSession(service, channel, body('before'));
  assert.equal(complete.body.data.instructions, 'Hi Ada, Acme at noon.');
  assert.deepEqual((await askPlatforms(service, platformLines)).texts, [
    'Hi Ada,  at noon.',
    'Hi Ada,  at noon.',
  ]);
  const unserved = await makeChannel(owner);
  const { id: agent_id } = await makeAgentWithVersions(service, 'Unheard.');
  await owner.request('PUT', `/channels/${unserved.id}/agent`, { agent_id });
  let session_id = '';
  let platforms: Awaited<ReturnType<typeof askPlatforms>> | undefined;
  const end = await begin();
  try {
    const until = performance.now() + 4_000;
    for (let at = 0; performance.now() < until; at++)
      for (const reply of await Promise.all(
        [1, 2, 3].map((each) => timed(() => startSession(service, channel, body(`call-${at}-${each}`)))),
      ))
        session_id = assertDegraded(reply, version);
    platforms = await askPlatforms(service, platformLines);
    assert.deepEqual(platforms.texts, ['Hi there,  at noon.', 'Hi there,  at noon.']);
    const wrong = { id: channel.id, secret: `${channel.secret}x` };
    assertError(
      await timed(() => startSession(service, wrong, body('x'))),
      refusal === 'UNAVAILABLE' ? 503 : 401,
      refusal,
    );
    const { text } = await service.get('/metrics');
    assert.match(text, /^roster_degraded_sessions_total [1-9]/m);
  } finally {
    await end();
  }
  const after = () => startSession(service, channel, body('after'));
  await eventually('sessions are complete', async () => (await after()).body.data?.degraded === false);
  const report = {
    type: 'call',
    provider_id: 'call-0-1',
    direction: 'inbound',
    number: NUMBER,
    status: 'completed',
  };
  await eventually(
    'the report is accepted',
    async () => (await sendEvent(service, channel, report)).status === 200,
  );
  assert.equal((await sendEvent(service, channel, { ...report, session_id })).status, 200);
  const [forVapi = {}, forRetell = {}] = platforms?.metadata ?? [];
  const ended = endOfCallReport('reported late', NUMBER, { assistant: { metadata: forVapi } });
  assert.equal((await sendVapi(service, platformLines.vapi, ended)).status, 200);
  const event = callEvent('call_ended', 'reported late', NUMBER, { ...ENDED, metadata: forRetell });
  assert.equal((await sendRetell(service, platformLines.retell, event)).status, 200);
  const late = await direct.query(`select version_id from calls where provider_id = 'reported late'`);
  assert.deepEqual(
    late.map(({ version_id }) => version_id),
    [version, version],
  );
  assertError(await sendEvent(service, unserved, { ...report, session_id }), 400, 'VALIDATION_ERROR');
  const again = await startSession(service, channel, body('call-0-1'));
  assert.deepEqual([again.body.data.version.id, again.body.data.degraded], [version, false]);
  const rows = await direct.query(
    `select provider_id, version_id from call_sessions where provider_id like 'call-0-1'`,
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ provider_id: 'call-0-1', version_id: version }],
  );
  const lines = service.log.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line));
  const changes = lines.filter(({ message }) => /^sessions are/.test(message)).map(({ message }) => message);
  assert.equal(changes[0], 'sessions are degraded');
  assert.equal(changes.at(-1), 'sessions are complete again');
  assert.ok(changes.length <= 4, changes.join());
  assert.deepEqual(
    lines.filter(({ level, message }) => level === 'error' || message === 'request failed'),
    [],
  );
};

const onPostgresServer = async (
  test: TestContext,
  begin: (server: Awaited<ReturnType<typeof startPostgres>>) => Promise<() => Promise<unknown>>,
) => {
  const server = await startPostgres();
  test.after(() => server.stop());
  const database = await postgresOn(server.url);
  const service = await startTestService(database);
  try {
    await startDuring(service, database, () => begin(server), 'UNAVAILABLE');
  } finally {
    await service.stop();
  }
};

describe('Sessions while the database is lost', () => {
  it('Sessions are degraded while PostgreSQL does not answer, and complete afterwards', (test) =>
    onPostgresServer(test, async (server) => {
      server.signal('SIGSTOP');
      return async () => server.signal('SIGCONT');
    }));

  it('Sessions are degraded while PostgreSQL is down, and complete afterwards', (test) =>
    onPostgresServer(test, async (server) => {
      server.signal('SIGKILL');
      return () => server.restart();
    }));

  for (const engine of Object.keys(engines) as (keyof typeof engines)[])
    it(`Sessions are degraded while they cannot be stored on ${engine}, and complete afterwards`, async (test) => {
      const service = await serviceFor(test, await databaseFor(test, engine));
      const lock = () => lockRecords(service.database, 'call_sessions in exclusive mode');
      await startDuring(service, service.database, lock, 'UNAUTHORIZED');
    });

  it('A degraded session accepts no secret that has expired, and none that was revoked before', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'postgres'));
    const { owner, version, channel } = await prepare(service);
    const body = { provider_id: 'a', direction: 'inbound', variables: { company: 'Acme' } };
    const rotate = async (grace_hours: number) => {
      const path = `/channels/${channel.id}/rotate-secret`;
      return { id: channel.id, secret: (await owner.request('POST', path, { grace_hours })).secret };
    };
    const second = await rotate(1);
    await service.database.query(
      `update channels set old_secret_expires_at = '${new Date(Date.now() + 1_500).toISOString()}'`,
    );
    for (const each of [channel, second]) assert.ok((await startSession(service, each, body)).status <= 201);
    const release = await lockRecords(service.database, 'channels in access exclusive mode');
    try {
      assertDegraded(await timed(() => startSession(service, channel, body)), version);
      await pause(1_500);
      assertError(await timed(() => startSession(service, channel, body)), 503, 'UNAVAILABLE');
      assertDegraded(await timed(() => startSession(service, second, body)), version);
    } finally {
      await release();
    }
    const third = await rotate(0);
    assert.equal((await startSession(service, third, body)).status, 200);
    const again = await lockRecords(service.database, 'channels in access exclusive mode');
    try {
      assertError(await timed(() => startSession(service, second, body)), 503, 'UNAVAILABLE');
      assertDegraded(await timed(() => startSession(service, third, { ...body, provider_id: 'b' })), version);
    } finally {
      await again();
    }
  });

  it('A request for the agent is enough for a later degraded session', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'postgres'));
    const { version, channel } = await prepare(service);
    const path = `/hooks/channels/${channel.id}/agent`;
    assert.equal((await service.get(path, { key: channel.secret })).status, 200);
    await pause(300);
    const release = await lockRecords(service.database, 'channels in access exclusive mode');
    try {
      const body = { provider_id: 'a', direction: 'outbound', number: null, variables: { company: 'Acme' } };
      assertDegraded(await timed(() => startSession(service, channel, body)), version);
    } finally {
      await release();
    }
  });

  for (const engine of Object.keys(engines) as (keyof typeof engines)[])
    it(`A service killed under sessions on ${engine} keeps each session that it answered, once`, async () => {
      await withRestartableService(
        engine,
        async (service) => {
          const made = async (method: string, path: string, body: unknown) =>
            (await service.call(method, path, body)).body.data;
          const { id: agent_id } = await made('POST', '/agents', { name: 'Agent', instructions: 'Hi.' });
          await made('POST', `/agents/${agent_id}/versions/v1/deploy`, {});
          const channel = await made('POST', '/channels', { kind: 'web_chat', name: 'Line', address: 'x' });
          await made('PUT', `/channels/${channel.id}/agent`, { agent_id });
          const answered = new Map<string, string>();
          const start = async (provider_id: string, number: string) => {
            const headers = { authorization: `Bearer ${channel.secret}`, 'content-type': 'application/json' };
            const body = JSON.stringify({ provider_id, direction: 'inbound', number });
            const path = `/hooks/channels/${channel.id}/sessions`;
            const reply = await fetch(service.url() + path, { method: 'POST', headers, body });
            const { data } = (await reply.json()) as Json;
            assert.ok(reply.status < 300, `${reply.status}`);
            if (!data.degraded) answered.set(provider_id, data.session_id);
          };
          let isRunning = true;
          const run = async (client: number) => {
            for (let at = 0; isRunning; at++) {
              const number = `+1415555${String(100 + (at % 100)).padStart(4, '0')}`;
              // Each call twice, as a runtime that repeats its request.
              const both = [1, 2].map(() => start(`call-${client}-${at}`, number));
              for (const { reason } of (await Promise.allSettled(both)) as { reason?: unknown }[])
                if (reason instanceof assert.AssertionError) throw reason;
                else if (reason !== undefined) isRunning = false;
            }
          };
          const running = Promise.all(Array.from({ length: 8 }, (_, client) => run(client)));
          await eventually('sessions have started', async () => answered.size > 100);
          await service.kill();
          await running;
          await service.start();
          const rows = await service.database.query('select provider_id, id from call_sessions');
          const stored = new Map(rows.map(({ provider_id, id }) => [provider_id, id]));
          assert.equal(stored.size, rows.length, 'no session is stored twice');
          for (const [provider_id, id] of answered) assert.equal(stored.get(provider_id), id);
          const numbers = await service.database.query('select phone_identity from contacts');
          assert.equal(new Set(numbers.map((row) => row.phone_identity)).size, numbers.length);
          await assertConsistent(service.database);
        },
        { ROSTER_API_KEY: KEY },
      );
    });

  it('A channel that was never served gets 503 within a second', async (test) => {
    const service = await serviceFor(test, await databaseFor(test, 'postgres'));
    const { channel } = await prepare(service);
    const release = await lockRecords(service.database, 'channels in access exclusive mode');
    try {
      const body = { provider_id: 'a', direction: 'inbound' };
      assertError(await timed(() => startSession(service, channel, body)), 503, 'UNAVAILABLE');
    } finally {
      await release();
    }
  });
});
