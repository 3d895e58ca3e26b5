import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { weekdays } from '../../../src/features/campaigns/call-window.ts';
import { type DashboardUser, signedInUser } from '../../kit/dashboard/users.ts';
import { postgresOn, type TestDatabase } from '../../kit/database/engines.ts';
import { startPostgres } from '../../kit/database/postgres-server.ts';
import { type CampaignApi, campaignApi } from '../../kit/fixtures/campaigns.ts';
import { markDeployed } from '../../kit/fixtures/deploy-version.ts';
import { assertCounts } from '../../kit/imports/assertions.ts';
import { planCsv, waitForImport } from '../../kit/imports/imports.ts';
import { report } from '../../kit/load/measurements.ts';
import { seededRandom } from '../../kit/random.ts';
import { logLines } from '../../kit/service/health.ts';
import { type Json, type Reply, startTestService, type TestService } from '../../kit/service/test-service.ts';
import { sendEvent, type TestChannel } from '../../kit/webhooks/channel-hooks.ts';

const phoneAt = (at: number) => `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;

const fileOf = (rows: number, name: string) =>
  [
    'Phone,First Name,Labels,Slot',
    ...Array.from({ length: rows }, (_, at) => `${phoneAt(at)},${name},${name},${name}`),
  ].join('\n');

interface Environment {
  readonly service: TestService;
  readonly owner: DashboardUser;
  readonly channel: TestChannel;
  readonly campaign: string;
  readonly dialer: CampaignApi;
  /** One of the contended phone numbers. */
  readonly phone: () => string;
  /** The ids of some contacts in random order. */
  readonly ids: (limit: number) => Promise<string[]>;
}

type Writer = (environment: Environment) => Promise<readonly Reply[]>;

const created = async ({ service, phone }: Environment): Promise<Reply> =>
  service.post('/v1/contacts', { phone_number: phone(), tags: ['created'] });

/** One operation of every kind that locks more than one row. */
const writers: Readonly<Record<string, Writer>> = {
  create: async (environment) => [await created(environment)],
  createOnce: async ({ service, phone }) => [
    await service.post(
      '/v1/contacts',
      { phone_number: phone() },
      { headers: { 'idempotency-key': crypto.randomUUID() } },
    ),
  ],
  delete: async ({ service, ids }) =>
    Promise.all((await ids(4)).map((id) => service.delete(`/v1/contacts/${id}`))),
  update: async ({ service, ids, phone }) =>
    Promise.all(
      (await ids(2)).map((id, at) =>
        service.patch(`/v1/contacts/${id}`, at === 0 ? { phone_number: phone() } : { tags: ['updated'] }),
      ),
    ),
  upsert: async ({ service, phone }) => [
    await service.call('PUT', `/v1/contacts/by-phone/${phone()}`, { tags: ['upserted'] }),
  ],
  batch: async ({ service, ids, phone }) => {
    const operations = [
      ...Array.from({ length: 10 }, () => ({ op: 'upsert', phone_number: phone(), company: 'Acme' })),
      ...Array.from({ length: 3 }, () => ({ op: 'create', phone_number: phone() })),
      ...Array.from({ length: 3 }, () => ({ op: 'delete', phone_number: phone() })),
      ...(await ids(5)).map((id) => ({ op: 'update', id, phone_number: phone() })),
    ];
    return [await service.post('/v1/contacts/batch', { operations })];
  },
  batchAgain: (environment) => writers.batch?.(environment) as Promise<readonly Reply[]>,
  tag: async ({ owner, ids }) => [
    await owner.call('POST', '/bulk-jobs', {
      action: 'tag',
      selection: { ids: await ids(20) },
      add: ['selected'],
    }),
  ],
  deleteSelection: async ({ owner, ids }) => [
    await owner.call('POST', '/bulk-jobs', { action: 'delete', selection: { ids: await ids(5) } }),
  ],
  enroll: async ({ owner, campaign, ids }) => [
    await owner.call('POST', `/campaigns/${campaign}/enrollments`, { contact_ids: await ids(20) }),
  ],
  claim: async ({ dialer, campaign }) => {
    const claimed = await dialer.claim(campaign, { limit: 20, lease_seconds: 10 });
    const claims: Json[] = claimed.body.data?.claims ?? [];
    const reports = claims.map(({ claim_id, contact }) =>
      dialer.report(campaign, contact.id, { claim_id, status: 'pending', outcome: 'no answer' }),
    );
    return [claimed, ...(await Promise.all(reports))];
  },
  pause: async ({ owner, campaign }) => [
    await owner.call('PATCH', `/campaigns/${campaign}`, { status: 'paused' }),
    await owner.call('PATCH', `/campaigns/${campaign}`, { status: 'active' }),
  ],
  callWindow: async ({ owner, campaign }) => [
    await owner.call('PUT', `/campaigns/${campaign}/schedule`, {
      call_window: { days: weekdays, from: '00:00', to: '24:00' },
    }),
    await owner.call('PUT', `/campaigns/${campaign}/schedule`, {}),
  ],
  call: async ({ service, channel, phone }) => [
    await sendEvent(service, channel, {
      type: 'call',
      provider_id: crypto.randomUUID(),
      direction: 'inbound',
      number: phone(),
    }),
  ],
  agent: async ({ owner, channel }) => {
    const { id } = (await owner.call('POST', '/agents', { name: 'Short-lived', instructions: 'Hi.' })).body
      .data;
    const campaign = await owner.call('POST', '/campaigns', { name: 'Short-lived', agent_id: id });
    return Promise.all([
      owner.call('PUT', `/channels/${channel.id}/agent`, { agent_id: id }),
      owner.call('PATCH', `/campaigns/${campaign.body.data.id}`, { status: 'active' }),
      owner.call('DELETE', `/agents/${id}`),
    ]);
  },
};

const deadlocksOf = async ({ query }: TestDatabase): Promise<number> => {
  // The server's processes report their statistics a second after they become idle.
  await pause(1_500);
  const [row] = await query('select deadlocks from pg_stat_database where datname = current_database()');
  return Number(row?.deadlocks);
};

interface Contention {
  readonly rows: number;
  readonly rounds: number;
  readonly deleters: number;
  /** Whether the machine is otherwise idle. On a busy machine a lock can time out without a deadlock. */
  readonly isIdle: boolean;
}

/** Repeats a request as a 503 asks for. */
const untilServed = async (call: () => Promise<Reply>): Promise<Reply> => {
  for (;;) {
    const reply = await call();
    if (reply.status !== 503) return reply;
    await pause(1_000 * Number(reply.headers.get('retry-after')));
  }
};

/** A user whose requests are repeated until they are served. */
const patient = ({ cookie, call }: DashboardUser): DashboardUser => ({
  cookie,
  call: (...args) => untilServed(() => call(...args)),
});

const setUp = async (
  service: TestService,
  { rows, isIdle }: Contention,
  random: () => number,
): Promise<Environment> => {
  const user = await signedInUser(service);
  const owner = isIdle ? user : patient(user);
  const agent = await owner.call('POST', '/agents', { name: 'Desk', instructions: 'Answer.' });
  const made = await owner.call('POST', '/channels', {
    kind: 'web_chat',
    name: 'Site',
    address: 'https://example.com',
  });
  assert.equal(made.status, 201, made.text);
  const agent_id = agent.body.data.id;
  await markDeployed(service.database, agent_id, 1);
  const campaign = await owner.call('POST', '/campaigns', { name: 'All', agent_id, status: 'active' });
  const ids = async (limit: number) => {
    const path = `/contacts?limit=${limit}&offset=${Math.floor(random() * rows * 0.5)}`;
    const { body } = await owner.call('GET', path);
    const found: string[] = body.data.map(({ id }: Json) => id);
    return found.sort(() => random() - 0.5);
  };
  return {
    service,
    owner,
    channel: { id: made.body.data.id, secret: made.body.data.secret },
    campaign: campaign.body.data.id,
    dialer: await campaignApi(service),
    phone: () => phoneAt(Math.floor(random() * rows)),
    ids,
  };
};

/** Applies and undoes imports concurrently with everything else that locks contacts. No transaction may deadlock, no
 *  job may fail, and no request may fail. */
export const contend = async (test: TestContext, contention: Contention): Promise<void> => {
  const { rows, rounds, deleters, isIdle } = contention;
  const server = await startPostgres({ flushes: false, log: true });
  test.after(() => server.stop());
  const database = await postgresOn(server.url);
  const services = [await startTestService(database), await startTestService(database)] as const;
  test.after(() => Promise.all(services.map(({ stop }) => stop())));
  const first = await setUp(services[0], contention, seededRandom(1));
  const second = await setUp(services[1], contention, seededRandom(2));
  let running = true;
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  const work = async (name: string, environment: Environment) => {
    while (running) {
      for (const reply of (await writers[name]?.(environment)) ?? []) {
        counts[name] = (counts[name] ?? 0) + 1;
        if (reply.status >= 500 && (isIdle || reply.status !== 503)) faults.push(`${name}: ${reply.text}`);
      }
    }
  };
  const workers = [...Object.keys(writers), ...Array.from({ length: deleters }, () => 'delete')].map(
    (name, at) => work(name, at % 2 ? first : second),
  );
  const began = performance.now();
  const importing = async ({ owner, campaign: campaign_id }: Environment, name: string) => {
    const mapping = JSON.stringify({ 3: 'variables.slot' });
    for (let round = 0; round < rounds; round++) {
      const options = { on_existing: 'overwrite', campaign_id, mapping };
      const { id } = await planCsv(owner, fileOf(rows, `${name}${round}`), options);
      for (const action of ['apply', 'undo']) {
        assert.equal((await owner.call('POST', `/imports/${id}/${action}`)).status, 200);
        await waitForImport(owner, id);
      }
    }
  };
  try {
    await Promise.all([importing(first, 'first'), importing(second, 'second')]);
  } finally {
    running = false;
  }
  await Promise.all(workers);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  report(test, 'contention', { rows, rounds, seconds, ...counts });
  // The log has the statements of both transactions.
  const [deadlock] = /deadlock detected[\s\S]{0,3000}/.exec(readFileSync(server.log, 'utf8')) ?? [];
  assert.equal(deadlock, undefined);
  assert.equal(await deadlocksOf(database), 0, 'deadlocks that the server counted');
  assert.deepEqual(faults, []);
  const failedJobs = services.flatMap((service) =>
    logLines(service).filter((line) => line.level === 'error' || line.message === 'job failed'),
  );
  if (isIdle) assert.deepEqual(failedJobs, []);
  await assertCounts(database);
};
