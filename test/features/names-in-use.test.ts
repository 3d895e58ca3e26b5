import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { KeyScope } from '../../src/lib/scopes.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import {
  assertTablesUnchanged,
  deploy,
  makeAgentWithVersions,
  signedInOwner,
} from '../kit/fixtures/agents.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

/** What only requests change. */
const CHANGED = ['agents', 'agent_versions', 'segments', 'contact_fields', 'contacts', 'audit_entries'];

onEveryEngine('Names that are in use', (service) => {
  let owner: CheckedUser;
  let count = 0;
  before(async () => {
    owner = await signedInOwner(service);
  });
  const newKey = () => `used_${++count}`;
  const newField = async (options: { filterable?: boolean } = {}): Promise<string> => {
    const key = newKey();
    await makeField(service, key, 'text', options);
    return key;
  };
  const declare = (agent: string, ...names: string[]) =>
    owner.call('PUT', `/agents/${agent}/variables`, { variables: names.map((name) => ({ name })) });
  /** An agent that speaks a text. */
  const speaker = async (text: string, ...names: string[]): Promise<string> => {
    const { id } = await makeAgentWithVersions(service, text);
    assert.equal((await declare(id, ...names)).status, 200);
    await deploy(owner, id, 'v1');
    return id;
  };
  const speak = async (agent: string, instructions: string) => {
    await service.patch(`/v1/agents/${agent}`, { instructions });
    await deploy(owner, agent, 'v2');
  };
  /** Asserts that a request is refused and changes nothing, and returns the error. */
  const refused = async (method: string, path: string, body?: unknown) =>
    assertError(
      await assertTablesUnchanged(service, CHANGED, () => owner.call(method, path, body)),
      409,
      'CONFLICT',
    );
  const accepted = async (method: string, path: string, body?: unknown) => {
    const reply = await owner.call(method, path, body);
    assert.ok(reply.status < 300, reply.text);
    return reply.body.data;
  };
  const removals = (key: string) =>
    [
      ['PATCH', `/fields/${key}`, { archived: true }],
      ['DELETE', `/fields/${key}`],
      ['DELETE', `/fields/${key}?erase=true`],
    ] as const;

  test('A variable that the deployed version uses stays declared until another version is deployed', async () => {
    const agent = await speaker('{{slot|soon}} {{other}}', 'slot', 'other', 'unused');
    const path = `/agents/${agent}/variables`;
    const { message } = await refused('PUT', path, { variables: [{ name: 'unused' }] });
    assert.match(message, /^The deployed version v1 uses \{\{slot\}\}, \{\{other\}\}\. Deploy a version/);
    assert.equal((await declare(agent, 'slot', 'other')).status, 200);
    await speak(agent, '{{slot}}');
    assert.equal((await declare(agent, 'slot')).status, 200);
    await refused('PUT', path, { variables: [] });
  });

  test('A variable with the name of a field can be removed while the field is not archived', async () => {
    const [live, archived] = [await newField(), await newField()];
    const agent = await speaker(`{{${live}}} {{${archived}}}`, live, archived);
    await accepted('DELETE', `/fields/${archived}`);
    const { message } = await refused('PUT', `/agents/${agent}/variables`, { variables: [] });
    assert.ok(message.includes(`{{${archived}}}`) && !message.includes(live), message);
    assert.equal((await declare(agent, archived)).status, 200);
    await refused('DELETE', `/fields/${live}`);
  });

  test('A name that was unknown at a confirmed deploy keeps no variable and no field', async () => {
    const { id } = await makeAgentWithVersions(service, '{{nothing}}');
    await deploy(owner, id, 'v1', { confirm_unknown_variables: true });
    assert.equal((await declare(id, 'something')).status, 200);
    assert.equal((await declare(id)).status, 200);
  });

  test('A field that deployed instructions use is neither archived nor deleted nor erased', async () => {
    const key = await newField();
    const { id: contact } = await makeContact(service, { fields: { [key]: 'gold' } });
    const agents = [await speaker(`{{${key}|none}}`), await speaker(`{{ fields.${key} }}`, key)];
    for (const [method, path, body] of removals(key)) {
      const { message, details } = await refused(method, path, body);
      assert.match(message, new RegExp(`^The deployed instructions of .+, .+ use the field ${key}\\.`));
      assert.deepEqual((details as unknown as Json).agents.split(',').sort(), [...agents].sort());
    }
    await speak(agents[0] as string, `No {{{{${key}}} is said.`);
    await refused('DELETE', `/fields/${key}`);
    await owner.request('DELETE', `/agents/${agents[1]}`);
    assert.deepEqual(await accepted('DELETE', `/fields/${key}`), {
      deleted: false,
      archived: true,
      contacts: 1,
    });
    const again = await makeAgentWithVersions(service, `{{${key}}}`);
    await deploy(owner, again.id, 'v1', { confirm_unknown_variables: true });
    await refused('DELETE', `/fields/${key}?erase=true`);
    await speak(again.id, 'Hello.');
    await accepted('DELETE', `/fields/${key}?erase=true`);
    await service.delete(`/v1/contacts/${contact}`);
    await eventually('the values are erased', async () => {
      const { status } = await owner.call('GET', `/fields/${key}`);
      return status === 404;
    });
  });

  test('A field whose bare key the agent declares is not needed, and drafts do not count', async () => {
    const key = await newField();
    await speaker(`{{${key}}}`, key);
    await makeAgentWithVersions(service, `{{${key}}}`);
    await speaker(`${key} {${key}_x}`);
    await accepted('DELETE', `/fields/${key}`);
  });

  test('The message names ten agents and counts the others', async () => {
    const key = await newField();
    for (let at = 0; at < 12; at++) await speaker(`{{${key}}}`);
    const { message } = await refused('DELETE', `/fields/${key}`);
    assert.match(message, /, and 2 more use the field/);
  });

  const filterOf = (key: string) => ({
    not: { any: [{ attribute: `fields.${key}`, op: 'is_set', value: false }] },
  });
  const makeSegment = (filter: Json): Promise<Json> =>
    accepted('POST', '/segments', { name: 'Some', filter, shared: true });
  const makeCampaign = async (segment_id: string, mode = 'live'): Promise<Json> => {
    const { id } = await makeAgentWithVersions(service, 'Hello.');
    const audience = { segment_id, mode };
    return accepted('POST', '/campaigns', { name: `Calls ${1000 + ++count}`, agent_id: id, audience });
  };
  const refusedFilter = async (key: string, campaigns: readonly Json[]) => {
    for (const [method, path, body] of [
      ['PATCH', `/fields/${key}`, { filterable: false }],
      ...removals(key).slice(0, 2),
    ] as const) {
      const { message, details } = await refused(method, path, body);
      const names = campaigns.map(({ name }) => name).join(', ');
      assert.ok(message.startsWith(`The audience of ${names} uses this field. `), message);
      assert.equal((details as unknown as Json).campaigns, campaigns.map(({ id }) => id).join(','));
    }
  };

  test('A field by which an audience is filtered stays filterable until its campaigns are finished', async () => {
    const key = await newField({ filterable: true });
    const segment = await makeSegment(filterOf(key));
    const [live, snapshot] = [await makeCampaign(segment.id), await makeCampaign(segment.id, 'snapshot')];
    await refusedFilter(key, [live, snapshot]);
    await accepted('PATCH', `/fields/${key}`, { label: 'Another', filterable: true });
    await accepted('PATCH', `/campaigns/${live.id}`, { status: 'finished' });
    await refusedFilter(key, [snapshot]);
    await accepted('PATCH', `/campaigns/${snapshot.id}`, { audience: null });
    assert.equal((await accepted('PATCH', `/fields/${key}`, { filterable: false })).filterable, false);
    const sentBack = { name: 'Past calls', audience: live.audience };
    assert.equal((await accepted('PATCH', `/campaigns/${live.id}`, sentBack)).name, 'Past calls');
    assert.equal((await accepted('POST', `/campaigns/${live.id}/duplicate`, {})).audience, null);
    await accepted('DELETE', `/fields/${key}`);
  });

  test('A field is free if no campaign uses its segments, which are then refused as audiences', async () => {
    const [key, other] = [await newField({ filterable: true }), await newField({ filterable: true })];
    const segment = await makeSegment(filterOf(key));
    const used = await makeSegment({ attribute: `fields.${other}`, op: 'eq', value: `fields.${key}` });
    const campaign = await makeCampaign(used.id);
    await refusedFilter(other, [campaign]);
    await accepted('PATCH', `/fields/${key}`, { filterable: false });
    for (const mode of ['live', 'snapshot']) {
      const body = { audience: { segment_id: segment.id, mode } };
      const path = `/campaigns/${campaign.id}`;
      const reply = await assertTablesUnchanged(service, CHANGED, () => owner.call('PATCH', path, body));
      assertInvalid(reply, 'audience.segment_id.not.any[0].attribute');
      assert.deepEqual((await accepted('GET', path)).audience, campaign.audience);
    }
    assertInvalid(
      await assertTablesUnchanged(service, CHANGED, () =>
        owner.call('PATCH', `/segments/${used.id}`, { filter: filterOf(key) }),
      ),
      'filter.not.any[0].attribute',
    );
  });

  test('A key is told the names only of records that it may read', async () => {
    const key = await newField({ filterable: true });
    await speaker(`{{${key}}}`);
    const segment = await makeSegment(filterOf(key));
    const campaign = await makeCampaign(segment.id);
    const refusal = async (scopes: KeyScope[], body: Json) => {
      const headers = { authorization: `Bearer ${await createScopedKey(service.database, ...scopes)}` };
      const reply = await service.patch(`/v1/fields/${key}`, body, { headers });
      return assertError(reply, 409, 'CONFLICT');
    };
    const unfilterable = await refusal(['admin'], { filterable: false });
    assert.match(unfilterable.message, /^The audience of one of the campaigns uses this field\. /);
    assert.equal(unfilterable.details, undefined);
    const archived = await refusal(['admin', 'campaigns:read'], { archived: true });
    assert.match(archived.message, /^The deployed instructions of one of the agents use the field /);
    assert.equal(archived.details, undefined);
    const named = await refusal(['admin', 'campaigns:read'], { filterable: false });
    assert.ok(named.message.startsWith(`The audience of ${campaign.name} uses`), named.message);
  });

  test('Variables have an ETag, and a change of another version is refused', async () => {
    const agent = await speaker('Hello.', 'one');
    const path = `/v1/agents/${agent}/variables`;
    const etag = (await service.get(path)).headers.get('etag') ?? '';
    assert.equal((await service.get(path, { headers: { 'if-none-match': etag } })).status, 304);
    const put = (name: string, match: string) =>
      service.call('PUT', path, { variables: [{ name }] }, { headers: { 'if-match': match } });
    await speak(agent, 'Good morning.');
    const changed = await put('two', etag);
    assert.deepEqual([changed.status, changed.headers.get('etag') === etag], [200, false]);
    assertError(await put('three', etag), 412, 'PRECONDITION_FAILED');
    assert.deepEqual((await service.get(path)).body.data, changed.body.data);
    assert.equal((await put('three', changed.headers.get('etag') ?? '')).status, 200);
  });

  const ROUNDS = 8;
  /** Sends two requests together, of which at most one may succeed. */
  const raced = async (...calls: readonly (readonly [string, string, unknown?])[]) => {
    const replies = await Promise.all(calls.map(([method, path, body]) => owner.call(method, path, body)));
    const statuses = replies.map(({ status }) => status);
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status >= 500)],
      [1, []],
      statuses.join(),
    );
  };

  test('A field is not removed while a version that uses it is deployed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = await newField();
      const { id } = await makeAgentWithVersions(service, `{{${key}}}`);
      await raced(['POST', `/agents/${id}/versions/v1/deploy`], ['DELETE', `/fields/${key}`]);
    }
  });

  test('A field and a variable of the same name are not both removed', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = await newField();
      const agent = await speaker(`{{${key}}}`, key);
      await raced(['PUT', `/agents/${agent}/variables`, { variables: [] }], ['DELETE', `/fields/${key}`]);
    }
  });

  test('A rollback to a version whose name was removed since is refused until it is confirmed', async () => {
    const key = await newField();
    const agent = await speaker(`{{${key}}} {{slot}}`, 'slot');
    await speak(agent, 'Hello.');
    assert.equal((await declare(agent)).status, 200);
    await accepted('DELETE', `/fields/${key}`);
    const { message } = await refused('POST', `/agents/${agent}/rollback`);
    assert.ok(message.includes(`{{${key}}}, {{slot}}`), message);
    const confirmed = { confirm_unknown_variables: true };
    assert.equal((await accepted('POST', `/agents/${agent}/rollback`, confirmed)).version_label, 'v1');
  });

  test('A field does not stop being filterable while it gets into an audience', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [key, other] = [await newField({ filterable: true }), await newField({ filterable: true })];
      const segment = await makeSegment(filterOf(key));
      const used = await makeSegment({ attribute: 'tag', op: 'eq', value: 'none' });
      const campaign = await makeCampaign(used.id);
      const isFilter = round % 2 === 0;
      await raced(
        isFilter
          ? ['PATCH', `/segments/${used.id}`, { filter: filterOf(key) }]
          : ['PATCH', `/campaigns/${campaign.id}`, { audience: { segment_id: segment.id, mode: 'live' } }],
        ['PATCH', `/fields/${key}`, round % 4 < 2 ? { filterable: false } : { archived: true }],
      );
      await accepted('PATCH', `/campaigns/${campaign.id}`, { status: 'finished' });
      for (const free of [key, other]) await accepted('DELETE', `/fields/${free}`);
    }
  });
});
