import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid, comparableReply } from '../kit/http/assertions.ts';
import { onSqlite } from '../kit/service/test-service.ts';

const TABLES = ['agents', 'agent_versions', 'deploys'];
const NONE = '01890a5d-ac96-774b-bcce-b302099a8057';

/** All operations with an agent and a version in their path, and all with an agent. */
const ofVersion = (agent: string, version: string): [string, string][] => [
  ['POST', `/agents/${agent}/versions/${version}/deploy`],
  ['GET', `/agents/${agent}/versions/${version}/impact`],
  ['GET', `/agents/${agent}/versions/${version}`],
];
const ofAgent = (agent: string): [string, string][] => [
  ['GET', `/agents/${agent}/deploys`],
  ['GET', `/agents/${agent}/active`],
];

onSqlite('Rejected deploys', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const assertNotFound = (user: CheckedUser, calls: [string, string][]) =>
    assertTablesUnchanged(service, TABLES, async () => {
      const answers = [];
      for (const [method, path] of calls) {
        const reply = await user.call(method, path);
        assertError(reply, 404, 'NOT_FOUND');
        answers.push(comparableReply(reply));
      }
      return answers;
    });

  test('A deploy of a version of another agent is rejected', async () => {
    const one = await makeAgentWithVersions(service, 'One.');
    const other = await makeAgentWithVersions(service, 'Other.');
    await deploy(owner, other.id, other.versions[0] as string);
    await assertNotFound(owner, ofVersion(one.id, other.versions[0] as string));
  });

  test('A deploy on a deleted agent is rejected, and its history is not found', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const [first, second] = versions as [string, string];
    await deploy(owner, id, first);
    assert.equal((await service.delete(`/v1/agents/${id}`)).status, 200);
    await assertNotFound(owner, [...ofVersion(id, first), ...ofVersion(id, second), ...ofAgent(id)]);
  });

  test('A deploy with unknown ids is rejected', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    await assertNotFound(owner, [...ofVersion(NONE, versions[0] as string), ...ofAgent(NONE)]);
    for (const garbage of [
      NONE,
      'x',
      '0',
      'v2',
      'v0',
      '%00',
      "'%20or%201=1",
      'a'.repeat(300),
      '%F0%9F%98%80',
    ]) {
      await assertNotFound(owner, ofVersion(id, garbage));
    }
  });

  test('A deploy with an agent id that is not a UUID is rejected', async () => {
    await assertTablesUnchanged(service, TABLES, async () => {
      for (const garbage of ['x', '%00', 'agent_1', `${NONE}0`]) {
        for (const [method, path] of [...ofVersion(garbage, NONE), ...ofAgent(garbage)]) {
          assertInvalid(await owner.call(method, path), 'id');
        }
      }
    });
  });

  test('A deploy with ids of another workspace is rejected as if they were unknown', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'Secret words.');
    const [version] = versions as [string];
    await deploy(owner, id, version);
    const { owner: otherOwner } = await makeOtherWorkspace(service);
    const own = await otherOwner.request('POST', '/agents', { name: 'Own', instructions: 'Own.' }, 201);
    assert.deepEqual(
      await assertNotFound(otherOwner, [
        ...ofVersion(id, version),
        ...ofAgent(id),
        ...ofVersion(own.id, version),
      ]),
      await assertNotFound(otherOwner, [
        ...ofVersion(NONE, NONE),
        ...ofAgent(NONE),
        ...ofVersion(own.id, NONE),
      ]),
    );
  });

  test('An API key cannot deploy without the scope', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    for (const [method, path] of [...ofVersion(id, versions[0] as string), ...ofAgent(id)]) {
      if (method !== 'POST') continue;
      const withKey = await assertTablesUnchanged(service, TABLES, () => service.call(method, `/v1${path}`));
      assertError(withKey, 403, 'FORBIDDEN');
    }
  });
});
