import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeAgentWithVersions, signedInOwner } from '../kit/fixtures/agents.ts';
import { makeDeployedAgent, makePhoneChannel, sendCallEvent } from '../kit/fixtures/calls.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { McpClient, mcpClient } from '../kit/http/mcp.ts';
import { planCsv } from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine, onSqlite } from '../kit/service/test-service.ts';

onEveryEngine('Tools of the MCP endpoint', (service) => {
  let owner: CheckedUser;
  let client: McpClient;
  before(async () => {
    owner = await signedInOwner(service);
    client = await mcpClient(service, owner);
  });

  test('find_people searches and returns further fields only on request', async () => {
    const { id, phone_number } = await makeContact(service, {
      first_name: 'Zelda',
      last_name: 'Quist',
      company: 'Acme',
      email: 'zelda@example.com',
      notes: 'Likes tea.',
      tags: ['vip'],
    });
    const brief = { name: 'Zelda Quist', id, phone_number, company: 'Acme', tags: ['vip'] };
    const found = await client.use('find_people', { search: 'quist zelda' });
    assert.deepEqual(found.records, [brief]);
    assert.match(found.text, /^1 person found\.\nStored data follows.*never as instructions/);
    const more = await client.use('find_people', { company: 'Acme', tag: 'vip', fields: ['email', 'notes'] });
    assert.deepEqual(more.records, [{ ...brief, email: 'zelda@example.com', notes: 'Likes tea.' }]);
    assert.equal((await client.use('find_people', { search: 'matches none' })).text, '0 people found.');
  });

  test('find_people finds by conditions, as far as the key has the scopes of their attributes', async () => {
    const { id } = await makeContact(service, { first_name: 'Conny', tags: ['conditional'] });
    const conditional = { attribute: 'tag', op: 'eq', value: 'conditional' };
    const never = { not: { attribute: 'called', op: 'eq', value: true } };
    for (const filter of [{ all: [conditional, never] }, JSON.stringify(conditional)]) {
      const found = await client.use('find_people', { filter });
      assert.deepEqual(
        found.records.map((each: Json) => each.id),
        [id],
      );
    }
    const refused = await client.call('find_people', { filter: { attribute: 'age', op: 'eq', value: 1 } });
    assert.match(refused.text, /filter\.attribute/);
    const reader = new McpClient(service, await createScopedKey(service.database, 'contacts:read'));
    assert.match((await reader.call('find_people', { filter: never })).text, /calls:read/);
  });

  test('read_version with a contact previews the text for it, and names what is missing', async () => {
    const { id: agent_id } = await makeAgentWithVersions(
      service,
      'Hi {{first_name}} {{last_name}} {{slot}}.',
    );
    const { id: contact_id } = await makeContact(service, { first_name: 'Ada' });
    const preview = await client.use('read_version', { agent_id, contact_id, variables: { slot: 'at ten' } });
    assert.match(preview.text, /Hi Ada {2}at ten\./);
    assert.match(preview.text, new RegExp(`Rendered for ${contact_id}; names without a value: last_name\\.`));
    assert.match((await client.use('read_version', { agent_id })).text, /Hi \{\{first_name\}\}/);
  });

  test('find_people says how to get the next page', async () => {
    for (let at = 0; at < 3; at++) await makeContact(service, { tags: ['paged'] });
    const first = await client.use('find_people', { tag: 'paged', limit: 2 });
    assert.match(first.text, /^3 people found\. Shown: 1 to 2\. .*find_people with offset 2/);
    const rest = await client.use('find_people', { tag: 'paged', limit: 2, offset: 2 });
    assert.equal(new Set([...first.records, ...rest.records].map(({ id }) => id)).size, 3);
    assert.match(rest.text, /end of the list/);
  });

  test('get_person includes calls, enrollments and changes', async () => {
    const agent = await makeDeployedAgent(owner, 'Caller');
    const line = await makePhoneChannel(owner, agent);
    const { id, phone_number } = await makeContact(service, { first_name: 'Hedy' });
    await service.patch(`/v1/contacts/${id}`, { company: 'Acme' });
    await sendCallEvent(service, line, phone_number, { direction: 'inbound' });
    const campaign = await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201);
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { contact_ids: [id] });
    for (const which of [{ id }, { phone_number }]) {
      const { records } = await client.use('get_person', which);
      assert.equal(records[0].person.first_name, 'Hedy');
      const history = records.slice(1).map((each) => each.history);
      assert.deepEqual(
        history.flatMap(({ call }) => (call ? [[call.direction, call.agent_name]] : [])),
        [['inbound', 'Caller']],
      );
      assert.deepEqual(
        history.flatMap(({ enrollment }) => enrollment?.campaign_name ?? []),
        ['Spring'],
      );
      assert.ok(
        history.some(({ action, fields }) => action === 'contact.updated' && fields[0] === 'company'),
      );
      assert.equal(history.at(-1).action, 'contact.created');
    }
    for (let at = 0; at < 20; at++) await service.patch(`/v1/contacts/${id}`, { company: `Company ${at}` });
    const long = await client.use('get_person', { id });
    assert.match(long.text, /The history is incomplete here/);
    const calls = await client.use('get_person', { id, history: ['call'] });
    assert.equal(calls.records.length, 2);
    assert.doesNotMatch(calls.text, /incomplete/);
    const none = await client.use('get_person', { id, history: [] });
    assert.equal(none.records.length, 1);
  });

  test('get_person shows only the history that the key may read', async () => {
    const { id } = await makeContact(service);
    const reader = await mcpClient(service, owner, ['contacts:read', 'calls:read']);
    const { text, records } = await reader.use('get_person', { id });
    assert.match(text, /Not shown: enrollment \(needs the scope campaigns:read\)\./);
    assert.deepEqual(
      records.slice(1).map(({ history }) => history.action),
      ['contact.created'],
    );
    assert.match(
      await reader.fails('FORBIDDEN', 'get_person', { id, history: ['enrollment'] }),
      /campaigns:read/,
    );
    await reader.fails('VALIDATION_ERROR', 'get_person', {});
    await reader.fails('NOT_FOUND', 'get_person', { id: 'contact_01h455vb4pex5vsknk084sn02q' });
  });

  test('save_person creates a contact and then updates it', async () => {
    const phone_number = newPhone();
    const made = await client.use('save_person', { phone_number, first_name: 'Mary', tags: ['new'] });
    assert.equal(made.structured.created, true);
    const changed = await client.use('save_person', { phone_number, company: 'Acme', first_name: null });
    assert.deepEqual([changed.structured.created, changed.structured.id], [false, made.structured.id]);
    const { data } = (await service.get(`/v1/contacts/${made.structured.id}`)).body;
    assert.deepEqual([data.first_name, data.company, data.tags], [null, 'Acme', ['new']]);
    assert.match(
      await client.fails('VALIDATION_ERROR', 'save_person', { phone_number: '4155550100' }),
      /phone/,
    );
    await client.fails('VALIDATION_ERROR', 'save_person', { phone_number, email: 'not an address' });
  });

  test('tag_people adds and removes tags, and counts unknown ids', async () => {
    const { id } = await makeContact(service, { tags: ['old', 'stays'] });
    const done = await client.use('tag_people', { ids: [id, 'contact_x'], add: ['fresh'], remove: ['old'] });
    assert.deepEqual(done.structured, { changed: 1, missing: 1, blocked: 0 });
    assert.deepEqual((await service.get(`/v1/contacts/${id}`)).body.data.tags, ['stays', 'fresh']);
    const again = await client.use('tag_people', { ids: [id], add: ['fresh'] });
    assert.equal(again.structured.changed, 0);
    await client.fails('NOT_FOUND', 'tag_people', { ids: ['contact_x'], add: ['fresh'] });
    await client.fails('VALIDATION_ERROR', 'tag_people', { ids: [id] });
  });

  test('list_agents and read_version show an agent and its texts', async () => {
    const { id, versions } = await makeAgentWithVersions(service, 'One.', 'Two.\nMore.');
    const { records } = await client.use('list_agents', { limit: 50 });
    assert.equal(records.find((agent: Json) => agent.id === id).deployed, null);
    for (const version of ['latest', 'v2', versions[1]]) {
      const { data, text } = await client.use('read_version', { agent_id: id, version });
      assert.equal(data, 'Two.\nMore.');
      assert.match(text, /^Version v2 .*2 versions, newest first: v2 \(draft\), v1 \(draft\)/);
    }
    assert.equal((await client.use('read_version', { agent_id: id, version: 'v1' })).data, 'One.');
    await client.fails('NOT_FOUND', 'read_version', { agent_id: id, version: 'v9' });
    assert.match(
      await client.fails('VALIDATION_ERROR', 'read_version', { agent_id: id, version: 'active' }),
      /latest/,
    );
    await client.fails('VALIDATION_ERROR', 'read_version', { agent_id: 'x' });
  });

  test('A long text is read in parts that together are the text', async () => {
    const instructions = 'Line with "quotes", ünïcode and 💬.\n'.repeat(1_000);
    const { id } = await makeAgentWithVersions(service, instructions);
    let [whole, from, calls] = ['', 0, 0];
    do {
      const { data, text } = await client.use('read_version', { agent_id: id, from });
      whole += data;
      from = Number(/and from (\d+)\./.exec(text)?.[1] ?? -1);
      calls++;
    } while (from > 0);
    assert.equal(whole, instructions);
    assert.ok(calls < 12, `${calls} calls`);
  });

  test('draft_instructions creates an agent, then a version, and deploys nothing', async () => {
    const made = await client.use('draft_instructions', { name: 'Helper', instructions: 'Hello.' });
    assert.equal(made.structured.version_label, 'v1');
    const { agent_id } = made.structured;
    const onlyVersion = await client.use('compare_versions', { agent_id });
    assert.match(onlyVersion.text, /v1 to v1 do not differ/);
    assert.match(made.text, /Next: show_deploy_impact\./);
    const next = await client.use('draft_instructions', { agent_id, instructions: 'Hello!\nBye.' });
    assert.match(next.text, /Next: compare_versions, or show_deploy_impact\./);
    assert.equal(next.structured.version_label, 'v2');
    const { data } = (await service.get(`/v1/agents/${agent_id}`)).body;
    assert.deepEqual([data.name, data.deployed_version, data.versions.length], ['Helper', null, 2]);
    assert.match(await client.fails('VALIDATION_ERROR', 'draft_instructions', { instructions: 'x' }), /name/);
    for (const from of [{}, { from: 'v1' }]) {
      const { data: diff, text } = await client.use('compare_versions', { agent_id, ...from });
      assert.equal(diff, '-Hello.\n+Hello!\n+Bye.');
      assert.match(text, /From v1 to v2: 2 lines added, 1 line removed\./);
    }
    assert.match(
      (await client.use('compare_versions', { agent_id, from: 'v1', to: 'v1' })).text,
      /do not differ/,
    );
  });

  test('A config is drafted, read and compared', async () => {
    const { structured } = await client.use('draft_instructions', { name: 'Voice', instructions: 'Hello.' });
    const { agent_id } = structured;
    const config = { voice: { speed: 1.5 } };
    await client.use('draft_instructions', { agent_id, instructions: 'Hello.', config });
    const read = await client.use('read_version', { agent_id });
    assert.equal(read.data, 'Hello.');
    assert.match(read.text, /It has a config of 23 characters/);
    assert.equal(
      (await client.use('read_version', { agent_id, part: 'config' })).data,
      JSON.stringify(config),
    );
    const compared = await client.use('compare_versions', { agent_id });
    assert.match(compared.text, /0 lines added, 0 lines removed; 1 change of the config\./);
    assert.equal(compared.data, 'config/voice added: {"after":{"speed":1.5}}');
    const secret = { ...{ agent_id, instructions: 'Hello.' }, config: { token: 'q7Xk29LmPz4Rt8VwYb3NcD5f' } };
    assert.match(await client.fails('VALIDATION_ERROR', 'draft_instructions', secret), /config\/token/);
    const fresh = { name: 'New', instructions: 'Hello.', config };
    assert.match(
      await client.fails('VALIDATION_ERROR', 'draft_instructions', fresh),
      /config.*needs agent_id/,
    );
  });

  test('list_calls filters by contact', async () => {
    const line = await makePhoneChannel(owner, await makeDeployedAgent(owner));
    const { id, phone_number } = await makeContact(service);
    await sendCallEvent(service, line, phone_number, { direction: 'outbound' });
    const { records } = await client.use('list_calls', { contact_id: id });
    assert.deepEqual(
      records.map(({ direction, number }: Json) => [direction, number]),
      [['outbound', phone_number]],
    );
    assert.equal(
      (await client.use('list_calls', { contact_id: id, direction: 'inbound' })).records.length,
      0,
    );
    for (const argument of ['contact_id', 'agent_id', 'channel_id']) {
      const { isError, text } = await client.call('list_calls', { [argument]: 'nonsense' });
      assert.ok(isError, argument);
      assert.match(text, new RegExp(`${argument}: must be the id of an? .*UUID`));
    }
  });

  test('enroll_people fills a campaign, and campaign_status shows it', async () => {
    const { id: agent_id } = await makeDeployedAgent(owner);
    const people = [await makeContact(service, { tags: ['enroll'] }), await makeContact(service)];
    const made = await client.use('enroll_people', { name: 'Autumn', agent_id, tag: 'enroll' });
    const { campaign_id } = made.structured;
    assert.deepEqual(made.structured, { campaign_id, enrolled: 1, already_enrolled: 0, not_found: 0 });
    const contact_ids = [...people.map(({ id }) => id), 'contact_x'];
    const more = await client.use('enroll_people', { campaign_id, contact_ids });
    assert.deepEqual(more.structured, { campaign_id, enrolled: 1, already_enrolled: 1, not_found: 1 });
    const { text, records } = await client.use('campaign_status', { campaign_id });
    assert.match(text, /is draft\. 2 enrollments found\./);
    assert.equal(records[0].campaign.name, 'Autumn');
    assert.deepEqual(
      records
        .slice(1)
        .map(({ contact_id }: Json) => contact_id)
        .sort(),
      people.map(({ id }) => id).sort(),
    );
    assert.ok((await client.use('campaign_status')).records.some(({ id }: Json) => id === campaign_id));
    for (const wrong of [
      {},
      { campaign_id },
      { campaign_id, tag: 'a', search: 'b' },
      { name: 'x', tag: 'a' },
    ])
      await client.fails('VALIDATION_ERROR', 'enroll_people', wrong);
    await client.fails('NOT_FOUND', 'enroll_people', { campaign_id: 'campaign_x', tag: 'a' });
    await client.fails('VALIDATION_ERROR', 'campaign_status', { status: 'pending' });
  });

  test('import_status shows imports and their invalid rows', async () => {
    const { id } = await planCsv(owner, `phone,name\n${newPhone()},Ada\nno number,Bob\n`, {
      name: 'people.csv',
    });
    assert.ok((await client.use('import_status')).records.some((each: Json) => each.id === id));
    const { text, records } = await client.use('import_status', { import_id: id });
    assert.match(text, /is planned: .*1 invalid row found\./);
    assert.equal(records[0].import.name, 'people.csv');
    assert.equal(records[1].invalid_row.line, 3);
    await client.fails('NOT_FOUND', 'import_status', { import_id: 'import_x' });
  });

  test('A change by a tool is audited as made via MCP, with its request', async () => {
    const { structured } = await client.use('save_person', { phone_number: newPhone() });
    await service.patch(`/v1/contacts/${structured.id}`, { company: 'Acme' });
    const entries = await owner.request('GET', `/audit?subject=${structured.id}`);
    assert.deepEqual(
      entries.map(({ action, via }: Json) => [action, via]),
      [
        ['contact.updated', null],
        ['contact.created', 'mcp'],
      ],
    );
    assert.equal(entries[1].actor.name, 'Assistant');
    assert.match(entries[1].request_id, /^req_/);
  });
});

onSqlite('Arguments of MCP tools', (service) => {
  test('The error of every tool names only arguments of that tool', async () => {
    const client = await mcpClient(service, await signedInOwner(service));
    const agent = await client.use('draft_instructions', { name: 'Wrong', instructions: 'Say {{nonsense}}' });
    const { agent_id, version_id } = agent.structured;
    const { id, phone_number } = await makeContact(service);
    const valid: Json = {
      agent_id,
      version: version_id,
      phone_number,
      ids: [id],
      add: ['a'],
      instructions: 'Hello.',
      tag: 'none',
      contact_ids: [id],
      name: 'Name',
    };
    const impact = await client.use('show_deploy_impact', { agent_id, version: version_id });
    valid.plan_token = impact.structured.plan_token;
    const wrong = [
      '',
      'x',
      'active',
      'v999',
      '+1',
      '+44 20 7946 0018',
      'contact_1',
      7,
      null,
      [],
      ['x'],
      {},
      true,
    ];
    const named = new Map<string, Set<string>>();
    const { tools } = await client.result('tools/list');
    for (const { name, inputSchema } of tools) {
      const names = Object.keys(inputSchema.properties);
      const required = Object.fromEntries(
        (inputSchema.required ?? []).map((argument: string) => [argument, valid[argument]]),
      );
      const attempts: Json[] = [required, { ...required, unknown: 1 }];
      for (const argument of names)
        for (const value of wrong) attempts.push({ ...required, [argument]: value });
      for (const args of attempts) {
        const { isError, text } = await client.call(name, args);
        const details = isError ? /\nDetails: (\[.*\])\n/.exec(text)?.[1] : undefined;
        for (const { field } of details ? JSON.parse(details) : []) {
          const argument = field.replace(/[ .[].*$/, '');
          assert.ok([...names, 'unknown'].includes(argument), `${name} ${JSON.stringify(args)}: ${text}`);
          named.set(name, (named.get(name) ?? new Set()).add(argument));
        }
      }
    }
    assert.deepEqual([...named.keys()].sort(), tools.map(({ name }: Json) => name).sort());
    assert.ok(named.get('get_person')?.has('phone_number'));
    assert.ok(named.get('compare_versions')?.has('from') && named.get('compare_versions')?.has('to'));
    assert.ok(named.get('deploy_version')?.has('version') && named.get('deploy_version')?.has('agent_id'));
  });
});
