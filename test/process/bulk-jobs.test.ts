import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../kit/database/engines.ts';
import { type RestartableService, withRestartableService } from '../kit/faults/restartable-service.ts';
import { createBulkJob, waitForBulkJob } from '../kit/fixtures/bulk-jobs.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { assertCounts } from '../kit/imports/assertions.ts';

const CONTACTS = 3_000;

/** Kills the service while a job runs. Returns whether the job was still running after the restart. */
const killInside = async (service: RestartableService, id: string): Promise<boolean> => {
  for (;;) {
    const { status, processed } = (await service.call('GET', `/bulk-jobs/${id}`)).body.data;
    if (processed > 0 || status === 'done') break;
    await pause(2);
  }
  await service.kill();
  await service.start();
  return (await service.call('GET', `/bulk-jobs/${id}`)).body.data.status === 'running';
};

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`Bulk jobs of a killed service (${engine})`, () => {
    it('A job that is killed in the middle ends after a restart with exact results', () =>
      withRestartableService(engine, async (service) => {
        const { query } = service.database;
        const [workspace] = await query(`select id from workspaces where name = 'default'`);
        await fillContacts(service.database, Number(workspace?.id), CONTACTS);
        const list = await service.call('GET', '/contacts?limit=3');
        const except = list.body.data.map(({ id }: { id: string }) => id);
        const { id } = await createBulkJob(service, {
          action: 'tag',
          selection: { filter: { tag: 'all' }, except },
          add: ['bulk'],
          remove: ['all'],
        });
        assert.ok(await killInside(service, id), 'a kill interrupted the job');
        const ended = await waitForBulkJob(service, id);
        const { status, total, processed, changed, unchanged, missing, blocked } = ended;
        assert.deepEqual(
          { status, total, processed, changed, unchanged, missing, blocked },
          {
            status: 'done',
            total: CONTACTS - 3,
            processed: CONTACTS - 3,
            changed: CONTACTS - 3,
            unchanged: 0,
            missing: 0,
            blocked: 0,
          },
        );
        await assertCounts(service.database);
        const totalOf = async (tag: string) =>
          (await service.call('GET', `/contacts?limit=1&tag=${tag}`)).body.pagination.total;
        assert.deepEqual([await totalOf('bulk'), await totalOf('all')], [CONTACTS - 3, 3]);
        const [events] = await query(`select count(*) as count from events where type = 'contact.updated'`);
        assert.equal(Number(events?.count), CONTACTS - 3, 'no contact was changed twice');
        const undo = (await service.call('POST', `/bulk-jobs/${id}/undo`)).body.data;
        assert.ok(await killInside(service, undo.id), 'a kill interrupted the undo');
        const undone = await waitForBulkJob(service, undo.id);
        assert.deepEqual(
          [undone.status, undone.changed, undone.blocked, undone.missing],
          ['done', CONTACTS - 3, 0, 0],
        );
        await assertCounts(service.database);
        assert.deepEqual([await totalOf('bulk'), await totalOf('all')], [0, CONTACTS]);
        const [stored] = await query('select count(*) as count from bulk_changes');
        assert.equal(Number(stored?.count), 0);
        const [left] = await query(`select count(*) as count from jobs where kind = 'bulk.running'`);
        assert.equal(Number(left?.count), 0);
      }));
  });
}
