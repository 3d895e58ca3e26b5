import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { signedInUser } from '../kit/dashboard/users.ts';
import { makeDeployedAgent, makePhoneChannel, recordCall, sendCallEvent } from '../kit/fixtures/calls.ts';
import { enrollmentCounts } from '../kit/fixtures/enrollment-counts.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { assertError } from '../kit/http/assertions.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { getAgentFromHook, type TestChannel } from '../kit/webhooks/channel-hooks.ts';

/** The tables with one row of each contact here. */
const OF_CONTACT = ['contacts', 'contact_tags', 'contact_field_values'];

onEveryEngine('Deletion of a contact', (service) => {
  let owner: CheckedUser;
  let line: TestChannel;
  let campaigns: Json[];
  const rows = async (sql: string, ...values: string[]): Promise<Json[]> =>
    (await service.database.query(sql, ...values)).map((row) => ({ ...row }));
  const callsOf = (ids: string[]) =>
    rows(`select * from calls where id in (${ids.map(() => '?')}) order by id`, ...ids);
  const enrollmentsOf = (id: string) =>
    rows('select * from enrollments where contact_id = ? order by campaign_id', id);
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
    const agent = await makeDeployedAgent(owner);
    line = await makePhoneChannel(owner, agent);
    await makeField(service, 'nickname', 'text', { filterable: true });
    campaigns = [];
    for (const status of ['draft', 'active']) {
      campaigns.push(
        await owner.request('POST', '/campaigns', { name: status, agent_id: agent.id, status }, 201),
      );
    }
  });

  /** A contact with three calls and two enrollments. */
  const makeContactWithCalls = async (first_name: string) => {
    const contact = await makeContact(service, {
      first_name,
      email: `${first_name}@example.com`,
      tags: [`tag of ${first_name}`],
      fields: { nickname: `Little ${first_name}` },
    });
    const calls: string[] = [];
    for (const fields of [
      {},
      { type: 'message' },
      { direction: 'outbound', status: 'completed', seconds: 30 },
    ]) {
      calls.push((await recordCall(service, line, contact.phone_number, fields)).id);
    }
    for (const { id } of campaigns) {
      const { enrolled } = await owner.request('POST', `/campaigns/${id}/enrollments`, {
        contact_ids: [contact.id],
      });
      assert.equal(enrolled, 1);
    }
    return { contact, calls };
  };

  for (const caller of ['an API key', 'a user'] as const) {
    test(`A delete by ${caller} removes the enrollments of the contact and unlinks its calls only`, async () => {
      const [gone, other] = [await makeContactWithCalls('Gone'), await makeContactWithCalls('Other')];
      const counts = async () => {
        const tables: Record<string, number> = {};
        for (const table of [...OF_CONTACT, 'calls', 'enrollments', 'campaigns', 'channels']) {
          tables[table] = (await rows(`select * from ${table}`)).length;
        }
        return tables;
      };
      const [before, callsBefore] = [await counts(), await callsOf(gone.calls)];
      const untouched = async () => [await callsOf(other.calls), await enrollmentsOf(other.contact.id)];
      const othersBefore = await untouched();
      assert.equal((await enrollmentsOf(gone.contact.id)).length, 2);
      assert.deepEqual(new Set(callsBefore.map((call) => call.contact_id)), new Set([gone.contact.id]));

      const reply =
        caller === 'an API key'
          ? await service.delete(`/v1/contacts/${gone.contact.id}`)
          : await owner.call('DELETE', `/contacts/${gone.contact.id}`);
      assert.deepEqual(reply.body, { success: true, data: { deleted: true } });

      assert.deepEqual(await counts(), {
        ...before,
        ...Object.fromEntries(OF_CONTACT.map((table) => [table, (before[table] ?? 0) - 1])),
        enrollments: (before.enrollments ?? 0) - 2,
      });
      assert.deepEqual(await enrollmentsOf(gone.contact.id), []);
      assert.deepEqual(
        await callsOf(gone.calls),
        callsBefore.map((call) => ({ ...call, contact_id: null, number: null, number_identity: null })),
      );
      assert.deepEqual(await untouched(), othersBefore);

      for (const id of gone.calls) {
        const call = await owner.request('GET', `/calls/${id}`);
        assert.deepEqual([call.contact_id, call.number, call.version_label], [null, null, 'v1']);
      }
      assert.deepEqual(await owner.request('GET', `/calls?contact_id=${gone.contact.id}`), []);
      assert.equal((await owner.request('GET', `/calls?contact_id=${other.contact.id}`)).length, 3);
      for (const { id } of campaigns) {
        const enrolled = await owner.request('GET', `/campaigns/${id}/enrollments`);
        assert.deepEqual(
          enrolled.map((each: Json) => each.contact_id),
          [other.contact.id],
        );
        assert.deepEqual(
          (await owner.request('GET', `/campaigns/${id}`)).enrolled,
          enrollmentCounts({ pending: 1 }),
        );
      }
      assertError(await owner.call('GET', `/contacts/${gone.contact.id}/enrollments`), 404, 'NOT_FOUND');
      await service.delete(`/v1/contacts/${other.contact.id}`);
    });
  }

  test('A deleted contact leaves no personal data in any table', async () => {
    const { contact } = await makeContactWithCalls('Traceless');
    const names =
      service.database.database.engine === 'sqlite'
        ? await rows(
            `select name from sqlite_schema where type = 'table' and name not like 'contacts_search%'`,
          )
        : await rows(
            `select table_name as name from information_schema.tables where table_schema = 'public'`,
          );
    assert.ok(names.length > 15);
    const traces = async (of = [contact.id, contact.phone_number.slice(1), 'Traceless', 'traceless']) => {
      const found = new Set<string>();
      for (const { name } of names) {
        const text = JSON.stringify(await rows(`select * from ${name}`));
        if (of.some((trace) => text.includes(trace))) found.add(name);
      }
      return [...found].sort();
    };
    const tables = [
      'calls',
      'contact_changes',
      'contact_field_values',
      'contact_tags',
      'contacts',
      'enrollments',
      'events',
      'tallies',
    ];
    assert.deepEqual(await traces(), ['audit_entries', ...tables]);
    await owner.request('DELETE', `/contacts/${contact.id}`);
    // The audit log and the events contain only the id.
    assert.deepEqual(await traces(), ['audit_entries', 'events']);
    assert.deepEqual(await traces([contact.phone_number.slice(1), 'Traceless', 'traceless']), []);
  });

  test('A call after the delete creates a new contact and does not relink earlier calls', async () => {
    const { contact, calls } = await makeContactWithCalls('Again');
    const [open] = calls as [string];
    await owner.request('DELETE', `/contacts/${contact.id}`);
    const later = await recordCall(service, line, contact.phone_number);
    assert.notEqual(later.contact_id, contact.id);
    const [made] = await owner.request('GET', `/contacts?search=${encodeURIComponent(contact.phone_number)}`);
    assert.deepEqual([made.id, made.source, made.first_name], [later.contact_id, 'inbound', null]);
    assert.equal((await owner.request('GET', `/calls?contact_id=${made.id}`)).length, 1);
    const [row] = await callsOf([open]);
    const reply = await sendCallEvent(service, line, contact.phone_number, {
      provider_id: row.provider_id,
      status: 'completed',
      seconds: 5,
    });
    assert.equal(reply.body.data.effect, 'updated');
    const ended = await owner.request('GET', `/calls/${open}`);
    assert.deepEqual([ended.contact_id, ended.number, ended.seconds], [null, null, 5]);
  });
});

onEveryEngine('Deletion of an agent', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  test('Deleting an agent hides it, disconnects its channels and pauses its active campaigns only', async () => {
    const [gone, other] = [await makeDeployedAgent(owner, 'Gone'), await makeDeployedAgent(owner, 'Other')];
    const lines = [
      await makePhoneChannel(owner, gone),
      await makePhoneChannel(owner, gone),
      await makePhoneChannel(owner, other),
    ];
    const [first, second, third] = lines as [TestChannel, TestChannel, TestChannel];
    const campaigns: Record<string, Json> = {};
    for (const status of ['draft', 'active', 'paused', 'finished']) {
      for (const agent of [gone, other]) {
        const made = await owner.request(
          'POST',
          '/campaigns',
          { name: 'C', agent_id: agent.id, status },
          201,
        );
        campaigns[`${agent.name} ${status}`] = made;
      }
    }
    const call = await recordCall(service, first, '+12025550111');
    await service.patch(`/v1/agents/${gone.id}`, { instructions: 'Later words.' });
    const before = await owner.request('GET', `/calls/${call.id}`);
    assert.deepEqual(
      [before.agent_id, before.version_id, before.version_label],
      [gone.id, gone.version.id, 'v1'],
    );
    const tables = ['agents', 'agent_versions', 'deploys', 'channels', 'campaigns', 'calls', 'contacts'];
    const counts = async () =>
      Promise.all(
        tables.map(async (table) => (await service.database.query(`select * from ${table}`)).length),
      );
    const countsBefore = await counts();

    assert.deepEqual(await owner.request('DELETE', `/agents/${gone.id}`), { deleted: true });

    assert.deepEqual(await counts(), countsBefore, 'nothing is removed');
    assertError(await owner.call('GET', `/agents/${gone.id}`), 404, 'NOT_FOUND');
    assert.deepEqual(
      (await owner.request('GET', '/agents')).map((agent: Json) => agent.id),
      [other.id],
    );
    for (const line of [first, second]) {
      assert.equal((await owner.request('GET', `/channels/${line.id}`)).agent, null);
      assertError(await getAgentFromHook(service, line), 404, 'NOT_FOUND');
    }
    const linked = await service.database.query('select id from channels where agent_id = ?', gone.id);
    assert.deepEqual(linked, []);
    assert.equal((await owner.request('GET', `/channels/${third.id}`)).agent.id, other.id);
    assert.equal((await getAgentFromHook(service, third)).status, 200);
    for (const [name, made] of Object.entries(campaigns)) {
      const now = await owner.request('GET', `/campaigns/${made.id}`);
      if (name === 'Gone active') {
        assert.equal(now.status, 'paused');
        assert.ok(now.updated_at >= made.updated_at);
      } else {
        const agent = { ...made.agent, deleted: name.startsWith('Gone') };
        assert.deepEqual(now, { ...made, agent }, name);
      }
    }
    assert.deepEqual(
      await owner.request('GET', `/calls/${call.id}`),
      { ...before, agent_deleted: true },
      'the call still has its version',
    );
    const later = await recordCall(service, first, '+12025550111');
    const laterCall = await owner.request('GET', `/calls/${later.id}`);
    assert.deepEqual([laterCall.agent_id, laterCall.version_id, laterCall.version_label], [null, null, null]);
    for (const path of [`/agents/${gone.id}/versions/${gone.version.id}`, `/agents/${gone.id}/deploys`]) {
      assertError(await owner.call('GET', path), 404, 'NOT_FOUND');
    }
    assertError(await owner.call('DELETE', `/agents/${gone.id}`), 404, 'NOT_FOUND');
  });
});
