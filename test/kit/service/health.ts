import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, KEY, type TestService } from './test-service.ts';

export const logLines = ({ log }: TestService): Json[] =>
  log
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Waits until the request for the metrics is the only one in flight. */
export const untilIdle = async (service: TestService): Promise<void> => {
  for (let tries = 0; ; tries++) {
    const inFlight = /^roster_requests_in_flight (\d+)$/m.exec((await service.get('/metrics')).text)?.[1];
    if (inFlight === '1') return;
    assert.ok(tries < 100, `${inFlight} requests are still in flight`);
    await sleep(20);
  }
};

/** Asserts that nothing was written, that no error was logged, and that the service works. */
export const assertUnaffected = async (service: TestService): Promise<void> => {
  await untilIdle(service);
  const tables = ['contacts', 'contact_tags', 'agents', 'agent_versions', 'tallies'];
  for (const table of tables) {
    const [row] = await service.database.query(`select count(*) as count from ${table}`);
    assert.equal(Number(row?.count), 0, `rows in ${table}`);
  }
  const faults = logLines(service).filter((line) => line.level === 'error' || line.status >= 500);
  assert.deepEqual(
    faults.map((line) => `${line.message} ${line.status ?? line.stack}`.split('\n')[0]),
    [],
  );
  const made = await service.post('/v1/agents', { name: 'Still here', instructions: '' });
  assert.equal(made.status, 201);
  assert.equal((await service.get(`/v1/agents/${made.body.data.id}`, { key: KEY })).status, 200);
};
