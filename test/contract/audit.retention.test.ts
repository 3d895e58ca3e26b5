import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startExpiry } from '../../src/jobs/expiry.ts';
import { RunCounters } from '../../src/lib/run-counters.ts';
import { expireEntries } from '../../src/records/expiry.ts';
import { type AuditReader, auditReader, countAuditEntries } from '../kit/dashboard/audit.ts';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { signedInOwner } from '../kit/fixtures/agents.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeAgent, makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, numberedRows, planCsv, undoImport } from '../kit/imports/imports.ts';
import { type Json, onEveryEngine, startTestService } from '../kit/service/test-service.ts';

const OWNER = 'owner@example.com';

/** The action, the actor and the counts of each entry for a record. */
const countsOf = async (owner: CheckedUser, subject: string) =>
  (await auditReader(owner)(`subject=${subject}`)).map(({ action, actor, counts }) => [
    action,
    actor.name,
    counts,
  ]);

onEveryEngine('Audit entry of a large import', (service) => {
  test('An import has one audit entry, which grows with it and names the user who applied it', async () => {
    const owner = await signedInOwner(service);
    const rows = 1_050;
    const { id } = await planCsv(owner, `Phone,Name,Notes\n${numberedRows(rows).join('')}nonsense,X,\n`);
    const planned = ['import.created', OWNER, { create: rows, invalid: 1 }];
    assert.deepEqual(await countsOf(owner, id), [planned]);
    const before = await countAuditEntries(service);
    await applyImport(owner, id);
    const applied = ['import.applied', OWNER, { created: rows }];
    assert.deepEqual(await countsOf(owner, id), [applied, planned]);
    assert.equal(await countAuditEntries(service), before + 1);

    const agent = await makeAgent(service);
    const campaign = await owner.request('POST', '/campaigns', { name: 'All', agent_id: agent.id }, 201);
    await owner.request('POST', `/campaigns/${campaign.id}/enrollments`, { search: 'Row' });
    assert.deepEqual(await countsOf(owner, campaign.id), [
      ['enrollment.created', OWNER, { enrolled: rows }],
      ['campaign.created', OWNER, null],
    ]);
  });
});

onEveryEngine('Audit log under load', (service) => {
  let owner: CheckedUser;
  let entries: AuditReader;
  before(async () => {
    owner = await signedInOwner(service);
    entries = auditReader(owner);
  });

  test('An undone import has one audit entry', async () => {
    const { id } = await planCsv(
      owner,
      'Phone,Company\n+12025550101,One\n+12025550102,Two\n+12025550103,Three\n',
    );
    await applyImport(owner, id);
    const [one] = (await owner.call('GET', '/contacts?limit=1')).body.data;
    await owner.request('PATCH', `/contacts/${one.id}`, { company: 'Kept' });
    await undoImport(owner, id);
    assert.deepEqual(await countsOf(owner, id), [
      ['import.undone', OWNER, { removed: 2, edited_since: 1 }],
      ['import.applied', OWNER, { created: 3 }],
      ['import.created', OWNER, { create: 3 }],
    ]);
    await owner.request('DELETE', `/imports/${id}`);
    const [last] = await entries(`subject=${id}&limit=1`);
    assert.deepEqual([last.action, last.subject.deleted], ['import.deleted', true]);
  });

  test('An import file that cannot be read completely leaves no audit entry', async () => {
    const before = await countAuditEntries(service);
    const cut = `Phone,Name\n${numberedRows(300).join('')}"`;
    const reply = await owner.call('POST', '/imports?country=US', undefined, {
      raw: cut,
      headers: { 'content-type': 'text/csv' },
    });
    assert.equal(reply.status, 400, reply.text);
    assert.equal(await countAuditEntries(service), before);
  });

  test('The audit log contains no personal data, before and after a delete', async () => {
    const word = 'quagga';
    const person = {
      phone_number: '+12025550142',
      first_name: `${word}1`,
      last_name: `${word}2`,
      display_name: `${word}3`,
      email: `${word}@example.com`,
      company: `${word}4`,
      notes: `${word}5`,
      tags: [`${word}6`],
    };
    const { id } = await makeContact(service, person);
    await service.patch(`/v1/contacts/${id}`, { phone_number: '+12025550143', notes: `${word}7` });
    await runBulkJob(owner, { action: 'tag', selection: { ids: [id] }, add: [`${word}8`] });
    const crm = await owner.request('POST', '/integrations', { name: 'CRM' }, 201);
    const update = { phone_number: '+12025550143', company: `${word}9`, crm_ids: { hubspot: `${word}10` } };
    await service.post(`/hooks/contacts/${crm.id}`, update, { key: crm.secret });
    const file = await planCsv(owner, `Phone,Name,Notes\n+12025550143,${word}11,${word}12\n`, {
      on_existing: 'overwrite',
    });
    await applyImport(owner, file.id);
    await service.delete(`/v1/contacts/${id}`);
    await owner.call('POST', '/bulk-jobs', { action: 'delete', selection: { ids: [word, '+12025550143'] } });
    await service.post('/v1/contacts', { ...person, phone_number: word });
    const all = JSON.stringify(await service.database.query('select * from audit_entries'));
    assert.ok(all.includes(id));
    for (const canary of [word, '2025550142', '2025550143', '4711']) {
      assert.equal(all.includes(canary), false, canary);
    }
  });

  const setTimes = (at: string, where = 'true') =>
    service.database.query(`update audit_entries set at = ? where ${where}`, at);

  test('The audit log keeps its order when the clock jumps', async () => {
    const ids: string[] = [];
    for (const at of ['2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z']) {
      const { id } = await makeContact(service, { phone_number: newPhone() });
      await setTimes(at, `subject = '${id}'`);
      ids.unshift(id);
    }
    const found = await entries('limit=3');
    assert.deepEqual(
      found.map(({ subject }: Json) => subject.id),
      ids,
    );
  });

  test('Audit entries are removed in batches after the retention period', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const untilEntriesLeft = async (left: number) => {
      for (let tries = 0; (await countAuditEntries(service)) !== left; tries++) {
        assert.ok(tries < 500, `${await countAuditEntries(service)} are left`);
        await pause(20);
      }
    };
    const [row] = await service.database.query(
      'select max(workspace_id) as w, max(seq) as top from audit_entries',
    );
    const top = Number(row?.top);
    const make = (seq: number) => `(${row?.w}, ${seq}, '${daysAgo(366)}', 'command line', 'contact.updated')`;
    const added = Array.from({ length: 1_200 }, (_, at) => make(top + 1_000 + at));
    await setTimes(daysAgo(366));
    await service.database.query(
      `insert into audit_entries (workspace_id, seq, at, actor, action) values ${added.join()}`,
    );
    await setTimes(daysAgo(364), `seq = ${top}`);
    await setTimes(daysAgo(-366), `seq between ${top + 1} and ${top + 1_600}`);
    const all = await countAuditEntries(service);
    assert.ok(all > 1_200);

    const storage = await openTestStorage(service.database);
    const fail = (error: unknown) => assert.fail(String(error));
    const task = new RunCounters('task', 'task').register('audit_expiry');
    const steps = [expireEntries];
    const disabledExpiry = startExpiry({ storage, days: 0, task, onFault: fail, steps });
    await disabledExpiry();
    assert.equal(await countAuditEntries(service), all);
    const stop = startExpiry({ storage, days: 365, task, onFault: fail, steps });
    await untilEntriesLeft(1);
    await stop();

    await setTimes(daysAgo(-2));
    const due = { workspace: Number(row?.w), before: daysAgo(365), ahead: daysAgo(-1) };
    const taken = await storage.run(expireEntries, null, due);
    assert.equal(taken, 0, 'it may be the clock of now that is wrong');
    await storage.close();

    await setTimes(daysAgo(366));
    const second = await startTestService(service.database);
    await untilEntriesLeft(0);
    await second.stop();
    await makeContact(service);
    assert.equal(await countAuditEntries(service), 1);
  });
});
