import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { applyPatch } from 'diff';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { assertTablesUnchanged, makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { withIdempotencyKey } from '../kit/http/idempotency.ts';
import { type CallOptions, type Json, onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['agents', 'agent_versions', 'deploys', 'audit_entries'];

onEveryEngine('Deploys by API key', (service) => {
  let owner: CheckedUser;
  let deployer: Json;
  let options: CallOptions;
  before(async () => {
    owner = await signedInOwner(service);
    const body = { name: 'CI', scopes: ['agents:read', 'agents:deploy'] };
    deployer = await owner.request('POST', '/keys', body, 201);
    options = { key: deployer.key };
  });
  const post = async (path: string, body: object = {}, status = 200): Promise<Json> => {
    const reply = await service.post(`/v1${path}`, body, options);
    assert.equal(reply.status, status, reply.text);
    return status < 300 ? reply.body.data : reply.body.error;
  };
  const get = async (path: string): Promise<Json> => {
    const reply = await service.get(`/v1${path}`, options);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const labelOf = async (id: string) => (await get(`/agents/${id}`)).deployed_version?.version_label;

  test('A replayed answer does not show the email of a user to a key without the scope admin', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.');
    await owner.request('POST', `/agents/${id}/versions/v1/deploy`, {});
    const scopes = ['agents:deploy', 'admin'];
    const { key } = await owner.request('POST', '/keys', { name: 'Ops', scopes }, 201);
    const path = `/v1/agents/${id}/versions/v1/deploy`;
    const once = withIdempotencyKey('who deployed');
    const first = await service.post(path, {}, { key, ...once });
    assert.match(first.body.data.deployed_by_email, /@/);
    const replay = await service.post(path, {}, { ...options, ...once });
    assert.equal(replay.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(replay.body.data, { ...first.body.data, deployed_by_email: null });
  });

  test('A deploy by a key names the key in every list, and in the audit log', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.');
    const by = { deployed_by: deployer.id, deployed_by_email: null, deployed_by_key_name: 'CI' };
    const named = ({ deployed_by, deployed_by_email, deployed_by_key_name }: Json) => ({
      deployed_by,
      deployed_by_email,
      deployed_by_key_name,
    });
    const made = await post(`/agents/${id}/versions/${versions[0]}/deploy`, { note: 'release 7' });
    assert.deepEqual([named(made), made.note, made.changed], [by, 'release 7', true]);
    const again = await post(`/agents/${id}/versions/v1/deploy`);
    assert.deepEqual([named(again), again.changed], [by, false]);
    assert.deepEqual(named((await get(`/agents/${id}/deploys`))[0]), by);
    assert.deepEqual(named((await get(`/agents/${id}/versions`))[0]), by);
    assert.deepEqual(named((await get('/deploys'))[0]), by);
    assert.deepEqual(named(await get(`/agents/${id}/active`)), by);
    const [entry] = await owner.request('GET', `/audit?subject=${versions[0]}`);
    assert.deepEqual(
      [entry.action, entry.actor.kind, entry.actor.id, entry.actor.name],
      ['agent.deployed', 'key', deployer.id, 'CI'],
    );
  });

  test('A rollback deploys the version before the current one, and a second rollback returns', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.', 'Three.');
    for (const label of ['v1', 'v3']) await post(`/agents/${id}/versions/${label}/deploy`);
    const back = await post(`/agents/${id}/rollback`, { note: 'too terse' });
    assert.deepEqual(
      [back.version_id, back.version_label, back.previous_version_id, back.note, back.changed],
      [versions[0], 'v1', versions[2], 'too terse', true],
    );
    assert.equal(await labelOf(id), 'v1');
    assert.equal((await post(`/agents/${id}/rollback`)).version_label, 'v3');
    assert.equal((await get(`/agents/${id}/deploys`)).length, 4);
  });

  test('A rollback restores instructions with unknown variables if it is confirmed', async () => {
    const { id } = await makeAgentWithVersions(service, 'Hello {{nickname}}.', 'Hello.');
    const refused = await post(`/agents/${id}/versions/v1/deploy`, {}, 409);
    assert.equal(refused.details[0].field, 'confirm_unknown_variables');
    await post(`/agents/${id}/versions/v1/deploy`, { confirm_unknown_variables: true });
    await post(`/agents/${id}/versions/v2/deploy`);
    const again = await assertTablesUnchanged(service, TABLES, () => post(`/agents/${id}/rollback`, {}, 409));
    assert.equal(again.details[0].field, 'confirm_unknown_variables');
    const confirmed = { confirm_unknown_variables: true };
    assert.equal((await post(`/agents/${id}/rollback`, confirmed)).version_label, 'v1');
  });

  test('A rollback without an earlier deploy is a 409 and changes nothing', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.', 'Two.');
    const refuse = (body?: object) =>
      assertTablesUnchanged(service, TABLES, () => post(`/agents/${id}/rollback`, body, 409));
    assert.match((await refuse()).message, /no deployed version/);
    await post(`/agents/${id}/versions/v1/deploy`);
    assert.match((await refuse()).message, /v1 is the first version/);
  });

  test('A rollback changes nothing if another version than `from` is deployed', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    for (const label of ['v1', 'v2']) await post(`/agents/${id}/versions/${label}/deploy`);
    const first = await post(`/agents/${id}/rollback`, { from: 'v2' });
    assert.equal(first.version_label, 'v1');
    const retry = await assertTablesUnchanged(service, TABLES, () =>
      post(`/agents/${id}/rollback`, { from: versions[1] }, 409),
    );
    assert.match(retry.message, /The deployed version is v1/);
    await post(`/agents/${id}/rollback`, { from: 'v9' }, 404);
    assertInvalid(await service.post(`/v1/agents/${id}/rollback`, { from: 'two' }, options), 'from');
    const reply = await service.post(`/v1/agents/${id}/rollback`, { from: '', note: 7, to: 'v1' }, options);
    assertInvalid(reply, 'from', 'note', 'to');
  });

  test('A rollback that is retried with its idempotency key runs once', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.', 'Two.');
    for (const label of ['v1', 'v2']) await post(`/agents/${id}/versions/${label}/deploy`);
    const keyed = { ...options, ...withIdempotencyKey('rollback') };
    const [first, second] = [
      await service.post(`/v1/agents/${id}/rollback`, {}, keyed),
      await service.post(`/api/v1/agents/${id}/rollback`, {}, keyed),
    ];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(await labelOf(id), 'v1');
  });

  test('A version is found by its id and by its label', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.');
    assert.deepEqual(
      await get(`/agents/${id}/versions/v2`),
      await get(`/agents/${id}/versions/${versions[1]}`),
    );
    assert.equal((await get(`/agents/${id}/versions/v1`)).instructions, 'One.');
    for (const label of ['v3', 'v0', 'v01', 'V1', 'v', 'v1.0', 'v99999999999999999999', '1']) {
      assertError(await service.get(`/v1/agents/${id}/versions/${label}`, options), 404, 'NOT_FOUND');
      assertError(
        await service.post(`/v1/agents/${id}/versions/${label}/deploy`, {}, options),
        404,
        'NOT_FOUND',
      );
    }
  });

  test('The version that was active at a time is found', async () => {
    const { id } = await makeAgentWithVersions(service, 'One.', 'Two.');
    assert.equal(await get(`/agents/${id}/active`), null);
    const first = await post(`/agents/${id}/versions/v1/deploy`);
    await post(`/agents/${id}/versions/v2/deploy`);
    assert.equal((await get(`/agents/${id}/active`)).version_label, 'v2');
    assert.equal((await get(`/agents/${id}/active?at=${first.deployed_at}`)).instructions, 'One.');
    assert.equal(await get(`/agents/${id}/active?at=2020-01-01T00:00:00Z`), null);
    assertInvalid(await service.get(`/v1/agents/${id}/active?at=yesterday`, options), 'at');
  });

  test('Two versions are compared as hunks and as a unified diff', async () => {
    const lines = Array.from({ length: 20 }, (_, at) => `Rule ${at + 1}.`);
    const texts = [lines.join('\n'), lines.with(9, 'Be brief.').join('\n')] as const;
    const { id, versions } = await makeAgentWithVersions(service, ...texts);
    const diff = await get(`/agents/${id}/versions/v2/diff?from=${versions[0]}`);
    assert.deepEqual([diff.from.id, diff.to.id, diff.added, diff.removed], [...versions, 1, 1]);
    assert.deepEqual(diff.hunks, [
      {
        from_start: 7,
        from_lines: 7,
        to_start: 7,
        to_lines: 7,
        changes: [
          { change: 'same', lines: lines.slice(6, 9) },
          { change: 'removed', lines: ['Rule 10.'] },
          { change: 'added', lines: ['Be brief.'] },
          { change: 'same', lines: lines.slice(10, 13) },
        ],
      },
    ]);
    assert.equal(applyPatch(texts[0], diff.unified), texts[1]);
    const same = await get(`/agents/${id}/versions/v1/diff?from=v1`);
    assert.deepEqual([same.added, same.removed, same.hunks, same.unified], [0, 0, [], '']);
    const read = (path: string) => service.get(`/v1/agents/${id}/versions/${path}`, options);
    assertInvalid(await read('v2/diff'), 'from');
    for (const from of ['', 'v0', 'draft', '1']) assertInvalid(await read(`v2/diff?from=${from}`), 'from');
    assertInvalid(await read('v2/diff?from=v1&to=v2'), 'to');
    assertError(await read('v2/diff?from=v7'), 404, 'NOT_FOUND');
    assertError(await read('v7/diff?from=v1'), 404, 'NOT_FOUND');
  });
});
