import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { signedInUser } from '../kit/dashboard/users.ts';
import { runBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { logLines } from '../kit/service/health.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Jobs of a newer version', (service) => {
  it('A job whose kind this version does not know waits untouched, and other jobs run', async () => {
    await service.database.query(
      `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
       values (1, 'later.kind', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0)`,
    );
    const owner = await signedInUser(service);
    const { id } = await planCsv(owner, 'Phone\n+12025550100\n');
    assert.equal((await applyImport(owner, id)).state, 'applied');
    await pause(1_500);
    const rows = await service.database.query(`select due_at, failures from jobs where kind = 'later.kind'`);
    assert.deepEqual(
      rows.map(({ due_at, failures }) => [due_at, Number(failures)]),
      [['2026-01-01T00:00:00.000Z', 0]],
    );
    assert.deepEqual(
      logLines(service).filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('A bulk job with a filter that this version does not know changes no contact and waits', async () => {
    const { database } = service;
    const owner = await signedInUser(service);
    const { id: contact } = await makeContact(service);
    const { id } = await runBulkJob(owner, {
      action: 'delete',
      selection: { filter: { tag: 'no contact' } },
    });
    await database.query(
      `update bulk_jobs set status = 'queued', progress = 0, filter = '{"has_notes":true}' where id = '${id}'`,
    );
    await database.query(
      `insert into jobs (workspace_id, kind, subject, created_at, due_at, failures)
       values (1, 'bulk.running', '${id}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 0)`,
    );
    const failures = () =>
      database.query(`select failures from jobs where subject = '${id}' and failures > 0`);
    await eventually('a failure of the job', async () => (await failures()).length > 0);
    assert.equal((await owner.call('GET', `/bulk-jobs/${id}`)).body.data.status, 'queued');
    assert.equal((await service.get(`/v1/contacts/${contact}`)).status, 200);
    assert.ok(logLines(service).some((line) => line.message === 'job failed' && line.subject === id));
  });
});
