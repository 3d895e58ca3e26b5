import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { makePhoneChannel, sendCallEvent } from '../kit/fixtures/calls.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { mcpClient, REVISIONS } from '../kit/http/mcp.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('An assistant does the work of an integration', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await signedInOwner(service);
  });

  for (const revision of REVISIONS) {
    test(`With only a scoped key and the tools of revision ${revision}`, async () => {
      const assistant = await mcpClient(service, owner, undefined, revision);
      const tag = `wave-${revision}`;

      const rows = Array.from({ length: 100 }, (_, at) => `${newPhone()},Person ${at}`).join('\n');
      const { id: import_id } = await planCsv(owner, `phone,name\n${rows}\n`, { name: 'people.csv' });
      assert.match((await assistant.use('import_status', { import_id })).text, /is planned/);
      await applyImport(owner, import_id);
      const imported = await assistant.use('import_status', { import_id });
      assert.equal(imported.records[0].import.totals.created, 100);

      const saved = await Promise.all(
        Array.from({ length: 30 }, () => newPhone()).flatMap((phone_number) => [
          assistant.use('save_person', { phone_number, company: 'Acme', tags: [tag] }),
          assistant.use('save_person', { phone_number, company: 'Acme', tags: [tag] }),
        ]),
      );
      const ids = new Set(saved.map(({ structured }) => structured.id));
      assert.equal(ids.size, 30, 'a number is one person');
      assert.equal(saved.filter(({ structured }) => structured.created).length, 30);

      let isDone = false;
      const writer = (async () => {
        for (let count = 0; !isDone; count++) await makeContact(service, { tags: [`other-${count}`] });
      })();
      const seen = new Set<string>();
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const args: Json = { tag, limit: 7, offset };
        const { records, text } = await assistant.use('find_people', args);
        for (const { id } of records) seen.add(id);
        const next: string | undefined = /with offset (\d+)/.exec(text)?.[1];
        offset = next === undefined ? undefined : Number(next);
      }
      isDone = true;
      await writer;
      assert.deepEqual(seen, ids, 'every person is seen while another client writes');

      const first = await assistant.use('draft_instructions', {
        name: 'Caller',
        instructions: 'Hello.\nBye.',
      });
      const { agent_id } = first.structured;
      const goLive = async (version: string) => {
        const { plan_token } = (await assistant.use('show_deploy_impact', { agent_id, version })).structured;
        return assistant.use('deploy_version', { agent_id, version, plan_token, note: `Live: ${version}` });
      };
      await goLive('v1');
      await assistant.use('draft_instructions', { agent_id, instructions: 'Hello {{first_name}}.\nBye.' });
      const { data } = await assistant.use('compare_versions', { agent_id });
      assert.equal(data, '-Hello.\n+Hello {{first_name}}.\n Bye.');
      await goLive('v2');
      const read = async () => (await assistant.use('read_version', { agent_id, version: 'active' })).data;
      assert.equal(await read(), 'Hello {{first_name}}.\nBye.');
      await goLive('v1');
      assert.equal(await read(), 'Hello.\nBye.');

      const { structured } = await assistant.use('enroll_people', { name: 'Wave', agent_id, tag });
      assert.equal(structured.enrolled, 30);
      const { campaign_id } = structured;
      const status = await assistant.use('campaign_status', { campaign_id, limit: 5 });
      assert.deepEqual(status.records[0].campaign.enrolled, enrollmentCounts({ pending: 30 }));

      const [id] = ids;
      const [person] = (await assistant.use('get_person', { id, history: [] })).records;
      const line = await makePhoneChannel(owner, { id: agent_id });
      await sendCallEvent(service, line, person.person.phone_number, { direction: 'outbound' });
      const { records: calls } = await assistant.use('list_calls', { agent_id });
      assert.deepEqual(
        calls.map(({ contact_id, version_label }: Json) => [contact_id, version_label]),
        [[id, 'v1']],
      );
      const { records } = await assistant.use('get_person', { id });
      const actions = records.slice(1).map(({ history }: Json) => history.action);
      assert.deepEqual(actions, ['call.recorded', 'enrollment.created', 'contact.created']);
    });
  }

  test('The audit log has every change of the assistants, marked as made via MCP', async () => {
    const versions: Json[] = await owner.request('GET', '/audit?limit=100&action=version.');
    const deploys: Json[] = await owner.request('GET', '/audit?limit=100&action=agent.deployed');
    assert.equal(deploys.length, 3 * REVISIONS.length);
    for (const { via, actor, request_id } of [...versions, ...deploys]) {
      assert.deepEqual([via, actor.kind, actor.name], ['mcp', 'key', 'Assistant']);
      assert.match(request_id, /^req_/);
    }
  });
});
