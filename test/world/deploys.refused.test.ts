import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Asker } from '../kit/described.ts';
import { assertError, assertInvalid, sameEveryTime } from '../kit/expect.ts';
import { makeNeighbour } from '../kit/neighbour.ts';
import { onEveryEngine } from '../kit/service.ts';
import { deploy, leaves, makeVersions, ownerOf } from '../kit/stage.ts';

const TABLES = ['agents', 'agent_versions', 'deploys'];
const NONE = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Everything that names one version of one agent, and everything that names an agent. */
const ofVersion = (agent: string, version: string): [string, string][] => [
  ['POST', `/agents/${agent}/versions/${version}/deploy`],
  ['GET', `/agents/${agent}/versions/${version}/impact`],
  ['GET', `/agents/${agent}/versions/${version}`],
];
const ofAgent = (agent: string): [string, string][] => [
  ['GET', `/agents/${agent}/deploys`],
  ['GET', `/agents/${agent}/active`],
];

onEveryEngine('a deploy is refused', (service) => {
  let owner: Asker;
  before(async () => {
    owner = await ownerOf(service);
  });
  const refuses = (person: Asker, calls: [string, string][]) =>
    leaves(service, TABLES, async () => {
      const answers = [];
      for (const [method, path] of calls) {
        const reply = await person.call(method, path);
        assertError(reply, 404, 'NOT_FOUND');
        answers.push(sameEveryTime(reply));
      }
      return answers;
    });

  test('for a version of another agent', async () => {
    const one = await makeVersions(service, 'One.');
    const other = await makeVersions(service, 'Other.');
    await deploy(owner, other.id, other.versions[0] as string);
    await refuses(owner, ofVersion(one.id, other.versions[0] as string));
  });

  test('on a deleted agent, whose history is closed with it', async () => {
    const { id, versions } = await makeVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    await deploy(owner, id, first);
    assert.equal((await service.delete(`/v1/agents/${id}`)).status, 200);
    await refuses(owner, [...ofVersion(id, first), ...ofVersion(id, second), ...ofAgent(id)]);
  });

  test('for ids that name nothing', async () => {
    const { id, versions } = await makeVersions(service, 'One.');
    await refuses(owner, [...ofVersion(NONE, versions[0] as string), ...ofAgent(NONE)]);
    for (const garbage of [NONE, 'x', '0', 'v1', '%00', "'%20or%201=1", 'a'.repeat(300), '%F0%9F%98%80']) {
      await refuses(owner, ofVersion(id, garbage));
    }
  });

  test('for an agent id that is no UUID', async () => {
    await leaves(service, TABLES, async () => {
      for (const garbage of ['x', '%00', 'agent_1', `${NONE}0`]) {
        for (const [method, path] of [...ofVersion(garbage, NONE), ...ofAgent(garbage)]) {
          assertInvalid(await owner.call(method, path), 'id');
        }
      }
    });
  });

  test('for ids of another workspace, exactly as for ids that name nothing', async () => {
    const { id, versions } = await makeVersions(service, 'Secret words.');
    const [version] = versions as [string];
    await deploy(owner, id, version);
    const { owner: neighbour } = await makeNeighbour(service);
    const own = await neighbour.ask('POST', '/agents', { name: 'Own', instructions: 'Own.' }, 201);
    assert.deepEqual(
      await refuses(neighbour, [...ofVersion(id, version), ...ofAgent(id), ...ofVersion(own.id, version)]),
      await refuses(neighbour, [...ofVersion(NONE, NONE), ...ofAgent(NONE), ...ofVersion(own.id, NONE)]),
    );
  });

  test('to a key, and to whoever has not signed in', async () => {
    const { id, versions } = await makeVersions(service, 'One.');
    for (const [method, path] of [...ofVersion(id, versions[0] as string), ...ofAgent(id)]) {
      const withKey = await leaves(service, TABLES, () => service.call(method, `/dashboard/api${path}`));
      assertError(withKey, 401, 'UNAUTHORIZED');
      assertError(await service.call(method, `/v1${path}`), 404, 'NOT_FOUND');
    }
  });
});
