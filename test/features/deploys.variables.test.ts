import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

const TABLES = ['agents', 'agent_versions', 'deploys', 'audit_entries'];

onEveryEngine('Deploy of instructions with unknown variables', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const assertRejected = (agent: string, version: string | undefined, body?: unknown) =>
    assertTablesUnchanged(service, TABLES, () =>
      owner.call('POST', `/agents/${agent}/versions/${version}/deploy`, body),
    );

  test('A deploy with unknown variables gets 409, names each of them and changes nothing', async () => {
    const { id, versions } = await makeAgentWithVersions(
      service,
      'Dear {{last_nmae}} of {{company}}, {{weather}}!',
    );
    for (const body of [undefined, {}, { note: 'go' }, { confirm_unknown_variables: false }]) {
      const reply = await assertRejected(id, versions[0], body);
      assertError(reply, 409, 'CONFLICT');
      assert.equal(
        reply.body.error.message,
        'The instructions of v1 use unknown variables: {{last_nmae}}, {{weather}}. Correct them in a new version, declare them as variables of the agent, or send confirm_unknown_variables: true to deploy v1 as it is.',
      );
      assert.deepEqual(reply.body.error.details, [
        {
          field: 'confirm_unknown_variables',
          message: 'must be true to deploy instructions with unknown variables.',
        },
        {
          field: 'instructions',
          message: '{{last_nmae}} is not a variable. Did you mean {{last_name}}?',
        },
        { field: 'instructions', message: '{{weather}} is not a variable.' },
      ]);
    }
  });

  test('The name of a field or a declared variable in single braces gets 409, like that of a contact', async () => {
    await makeField(service, 'plan', 'text');
    for (const text of ['Hi {plan}.', 'Hi {slot}.']) {
      const { id, versions } = await makeAgentWithVersions(service, text);
      const declared = { variables: [{ name: 'slot' }] };
      assert.equal((await owner.call('PUT', `/agents/${id}/variables`, declared)).status, 200);
      assertError(await assertRejected(id, versions[0]), 409, 'CONFLICT');
    }
  });

  test('A deploy or rollback with unknown variables succeeds when confirmed', async () => {
    const { id, versions } = await makeAgentWithVersions(
      service,
      'Dear {{last_nmae}}.',
      'Dear {{last_name}}.',
    );
    const [first, second] = versions as [string, string];
    const confirmed = { confirm_unknown_variables: true };
    assert.equal((await deploy(owner, id, first, confirmed)).changed, true);
    assert.equal(
      (await deploy(owner, id, first)).changed,
      false,
      'the deployed version needs no confirmation',
    );
    assert.equal((await deploy(owner, id, second)).changed, true, 'known variables need no confirmation');
    assertError(await assertRejected(id, first), 409, 'CONFLICT');
    assert.equal((await deploy(owner, id, first, confirmed)).changed, true);
    assert.equal(
      (await deploy(owner, id, second, confirmed)).changed,
      true,
      'confirming without need is fine',
    );
  });

  test('The error of a deploy names ten unknown variables and counts the rest', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `{{unknown${at}}}`);
    const { id, versions } = await makeAgentWithVersions(service, names.join(' '));
    const { message, details } = (await assertRejected(id, versions[0])).body.error;
    assert.ok(message.includes('{{unknown9}}, and 2 more.'), message);
    assert.equal(details.length, 11);
  });

  test('The confirmation of a deploy must be true or false', async () => {
    const { id, versions } = await makeAgentWithVersions(service, '{{x}}');
    for (const confirm_unknown_variables of ['true', 1, null]) {
      const reply = await assertRejected(id, versions[0], { confirm_unknown_variables });
      assertInvalid(reply, 'confirm_unknown_variables');
    }
  });
});
