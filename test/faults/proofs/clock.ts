import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { repeatLastFailure } from '../../kit/dashboard/sign-in-failures.ts';
import { PASSWORD } from '../../kit/dashboard/users.ts';
import type { engines } from '../../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { numberedRows, planCsv, waitForImport } from '../../kit/imports/imports.ts';
import { report } from '../../kit/load/measurements.ts';
import type { Json } from '../../kit/service/test-service.ts';

const YEAR_MS = 365 * 86_400_000;
const PRELOAD = new URL('../../kit/faults/clock.preload.ts', import.meta.url).href;

type SetClock = (offsetMs: number) => void;

/** A call that must succeed. */
const mustSucceed = async (
  { call }: RestartableService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> => {
  const reply = await call(method, path, body);
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.body.data;
};

const assertLater = (before: string[], now: string) => {
  assert.ok(now > (before.at(-1) ?? ''), `${now} is not after ${before.at(-1)}`);
  before.push(now);
};

/** Lists keep the order of creation, and every change is later than the previous one. */
const assertOrder = async (service: RestartableService, setClock: SetClock): Promise<number> => {
  const contacts: string[] = [];
  const agents: string[] = [];
  const moments: string[][] = [[], [], []];
  let checks = 0;
  for (const offset of [0, -YEAR_MS, YEAR_MS, -2 * YEAR_MS, 0]) {
    setClock(offset);
    const phone_number = `+1950555010${contacts.length}`;
    contacts.unshift((await mustSucceed(service, 'POST', '/contacts', { phone_number })).id);
    const named = { name: `Agent ${agents.length}`, instructions: 'Be kind.' };
    agents.unshift((await mustSucceed(service, 'POST', '/agents', named)).id);
    const [contact, agent] = [contacts.at(-1), agents.at(-1)];
    const changes = [
      await mustSucceed(service, 'PATCH', `/contacts/${contact}`, { notes: `${offset}` }),
      await mustSucceed(service, 'PATCH', `/agents/${agent}`, { instructions: `Text ${offset}` }),
    ];
    for (const [at, { updated_at }] of changes.entries()) assertLater(moments[at] as string[], updated_at);
    const [version] = await mustSucceed(service, 'GET', `/agents/${agent}/versions`);
    const deploy = await mustSucceed(service, 'POST', `/agents/${agent}/versions/${version.id}/deploy`);
    assertLater(moments[2] as string[], deploy.deployed_at);
    assert.equal((await mustSucceed(service, 'GET', `/agents/${agent}/active`)).id, version.id);
    const idsOf = async (list: string) => (await mustSucceed(service, 'GET', list)).map(({ id }: Json) => id);
    assert.deepEqual(await idsOf('/contacts'), contacts);
    assert.deepEqual(await idsOf('/agents'), agents);
    const deploys = await mustSucceed(service, 'GET', `/agents/${agent}/deploys`);
    assert.deepEqual(
      deploys.map(({ deployed_at }: Json) => deployed_at),
      moments[2]?.toReversed(),
    );
    checks += 7;
  }
  return checks;
};

/** Jobs that are scheduled a year ahead, because the clock was a year ahead, run now. */
const assertJobsRun = async (service: RestartableService, setClock: SetClock): Promise<number> => {
  const { id } = await planCsv(service, `Phone,First Name,Notes\n${numberedRows(3_000).join('')}`);
  setClock(YEAR_MS);
  await mustSucceed(service, 'POST', `/imports/${id}/apply`);
  await service.kill();
  const [claimed] = await service.database.query(`select due_at from jobs where kind = 'import.applying'`);
  assert.ok(String(claimed?.due_at) > new Date(Date.now() + YEAR_MS / 2).toISOString(), 'it lies ahead');
  setClock(0);
  const began = performance.now();
  await service.start();
  assert.equal((await waitForImport(service, id)).totals.created, 3_000);
  return Math.round(performance.now() - began);
};

/** A job that fails, because its import is missing, was claimed and postponed by a year: it is resumed now. */
const assertJobsResume = async ({ database }: RestartableService, setClock: SetClock): Promise<void> => {
  const failures = async () => {
    const [job] = await database.query(`select failures from jobs where subject = 'missing'`);
    return Number(job?.failures);
  };
  const untilFailed = async (times: number) => {
    for (let tries = 0; (await failures()) < times; tries++) {
      assert.ok(tries < 600, `the job was not resumed after ${await failures()} failures`);
      await pause(50);
    }
  };
  setClock(YEAR_MS);
  await database.query(
    `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
      select min(id), 'import.undoing', 'missing', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z', 0 from workspaces`,
  );
  await untilFailed(1);
  setClock(0);
  await untilFailed((await failures()) + 1);
  await database.query(`delete from jobs where subject = 'missing'`);
};

/** Sessions expire on time, and failed sign-ins in the future lock no user out. */
const assertSessions = async (service: RestartableService, setClock: SetClock): Promise<void> => {
  const signIn = (password: string) =>
    service.call('POST', '/session', { email: 'owner@example.com', password });
  const sessionStatus = async () => (await service.call('GET', '/contacts?limit=1')).status;
  setClock(-YEAR_MS);
  assert.equal(await sessionStatus(), 200);
  setClock(YEAR_MS);
  assert.equal(await sessionStatus(), 401, 'its time is over');
  assert.equal((await signIn('wrong')).status, 401);
  await repeatLastFailure(service, 9);
  assert.equal((await signIn(PASSWORD)).status, 429);
  setClock(0);
  assert.equal((await signIn(PASSWORD)).status, 200, 'the lock is not for a year');
  assert.equal(await sessionStatus(), 200);
};

/** Moves the clock of a running service a year back and forth. */
export const jumpClock = async (test: TestContext, engine: keyof typeof engines): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-clock-'));
  const file = join(folder, 'offset');
  const setClock: SetClock = (offset) => writeFileSync(file, `${offset}`);
  setClock(0);
  try {
    await withRestartableService(
      engine,
      async (service) => {
        await assertSessions(service, setClock);
        // The remaining checks do not depend on the clock.
        await service.database.query(`update sessions set expires_at = '9999-01-01T00:00:00.000Z'`);
        const checks = await assertOrder(service, setClock);
        const work_done_ms = await assertJobsRun(service, setClock);
        await assertJobsResume(service, setClock);
        report(test, `clock-${engine}`, { checks, wrong_orders: 0, work_done_ms });
      },
      { CLOCK_FILE: file, NODE_OPTIONS: `--import=${PRELOAD}` },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};
