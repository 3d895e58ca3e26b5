import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { signedInUser } from '../kit/dashboard/users.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { logLines } from '../kit/service/health.ts';
import { onEveryEngine } from '../kit/service/test-service.ts';

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
});
