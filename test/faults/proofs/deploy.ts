import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { engines, TestDatabase } from '../../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { report } from '../../kit/load/measurements.ts';
import { seededRandom } from '../../kit/random.ts';
import type { Reply } from '../../kit/service/test-service.ts';

const AGENTS = 3;

/** The acknowledged versions and deploys of one agent. */
interface TrackedAgent {
  readonly id: string;
  readonly versions: Set<string>;
  deploys: number;
}

const createAgent = async (service: RestartableService, name: string): Promise<TrackedAgent> => {
  const made = await service.call('POST', '/agents', { name, instructions: 'Be kind.' });
  const { id } = made.body.data;
  const { data } = (await service.call('GET', `/agents/${id}/versions`)).body;
  return { id, versions: new Set([data[0].id]), deploys: 0 };
};

/** Creates versions and deploys random ones until the service is killed. */
const deployAndEdit = async (
  { call }: RestartableService,
  agent: TrackedAgent,
  random: () => number,
): Promise<void> => {
  const isFound = async (reply: Promise<Reply>) => (await reply.catch(() => undefined))?.status === 200;
  for (let text = 0; ; text++) {
    if (!(await isFound(call('PATCH', `/agents/${agent.id}`, { instructions: `Text ${text}` })))) return;
    const listed = await call('GET', `/agents/${agent.id}/versions?limit=5`).catch(() => undefined);
    if (!listed) return;
    for (const { id } of listed.body.data) agent.versions.add(id);
    const { id } = listed.body.data[Math.floor(random() * listed.body.data.length)];
    const deploy = await call('POST', `/agents/${agent.id}/versions/${id}/deploy`).catch(() => undefined);
    if (deploy?.status !== 200) return;
    if (deploy.body.data.changed) agent.deploys++;
  }
};

/** Versions and deploys are numbered without gaps, and at most one version is deployed: that of the agent and of the
 *  last deploy. */
const assertDeploys = async (
  { query }: TestDatabase,
  { id, versions, deploys }: TrackedAgent,
): Promise<void> => {
  const stored = await query(
    'select number, id, status from agent_versions where agent_id = ? order by number',
    id,
  );
  assert.deepEqual(
    stored.map(({ number }) => Number(number)),
    stored.map((_, at) => at + 1),
    'versions without gaps',
  );
  const ids = new Set(stored.map((row) => String(row.id)));
  assert.deepEqual(
    [...versions].filter((each) => !ids.has(each)),
    [],
    'acknowledged versions are stored',
  );
  const history = await query(
    'select number, version_id from deploys where agent_id = ? order by number',
    id,
  );
  assert.deepEqual(
    history.map(({ number }) => Number(number)),
    history.map((_, at) => at + 1),
    'deploys without gaps',
  );
  // One more may have been in flight.
  assert.ok(
    [deploys, deploys + 1].includes(history.length),
    `${history.length} deploys for ${deploys} answers`,
  );
  const deployed = stored.filter(({ status }) => status === 'deployed').map((row) => row.id);
  const last = history.at(-1)?.version_id;
  assert.deepEqual(deployed, last === undefined ? [] : [last], 'the last deploy is the only one in force');
  const [agent] = await query('select wire from agents where id = ?', id);
  assert.equal(JSON.parse(String(agent?.wire)).deployed_version?.id, last, 'and the agent says so');
};

export const killWhileDeploying = (
  test: TestContext,
  { engine, rounds }: { engine: keyof typeof engines; rounds: number },
): Promise<void> =>
  withRestartableService(engine, async (service) => {
    const seed = Date.now() % 1_000_000;
    const random = seededRandom(seed);
    const agents: TrackedAgent[] = [];
    for (let at = 0; at < AGENTS; at++) agents.push(await createAgent(service, `Agent ${at}`));
    for (let round = 0; round < rounds; round++) {
      const before = agents.reduce((sum, { deploys }) => sum + deploys, 0);
      const working = agents.map((agent) => deployAndEdit(service, agent, random));
      while (agents.reduce((sum, { deploys }) => sum + deploys, 0) === before) await pause(2);
      await pause(random() * 200);
      await service.kill();
      await Promise.all(working);
      await service.start();
      for (const agent of agents) {
        await assertDeploys(service.database, agent);
        const [row] = await service.database.query(
          'select count(*) as count from deploys where agent_id = ?',
          agent.id,
        );
        agent.deploys = Number(row?.count);
      }
    }
    const deploys = agents.reduce((sum, agent) => sum + agent.deploys, 0);
    report(test, `kill-deploy-${engine}`, { seed, rounds, deploys, lost: 0, doubled: 0 });
  });
