import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { engines } from '../../kit/database/engines.ts';
import { killDuringImport, withRestartableService } from '../../kit/faults/restartable-service.ts';
import { numberedRows, planCsv, waitForImport } from '../../kit/imports/imports.ts';
import { assertConsistent } from '../../kit/load/acknowledged-writes.ts';
import { report } from '../../kit/load/measurements.ts';
import { seededRandom } from '../../kit/random.ts';

/** Kills the service during an import into a campaign. test/imports/resume.long.test.ts does so at many moments, and during an undo. */
export const killWhileImporting = (
  test: TestContext,
  { engine, rows }: { engine: keyof typeof engines; rows: number },
): Promise<void> =>
  withRestartableService(engine, async (service) => {
    const make = async (path: string, body: object) => (await service.call('POST', path, body)).body.data.id;
    const agent_id = await make('/agents', { name: 'Caller', instructions: '' });
    const campaign_id = await make('/campaigns', { name: 'Spring', agent_id });
    const { id } = await planCsv(service, `Phone,Row,Notes\n${numberedRows(rows).join('')}`, {
      campaign_id,
      mapping: '{"1": "variables.row"}',
    });
    assert.equal((await service.call('POST', `/imports/${id}/apply`)).status, 200);
    const state = await killDuringImport(service, {
      id,
      wait: seededRandom(Date.now())() * 50,
      afterMove: true,
    });
    const { totals } = await waitForImport(service, id);
    assert.equal(totals.created, rows);
    const [found] = await service.database.query(
      'select count(*) as count, count(distinct phone_identity) as numbers from contacts',
    );
    assert.deepEqual([Number(found?.count), Number(found?.numbers)], [rows, rows]);
    const [enrolled] = await service.database.query(
      `select count(*) as count, count(distinct variables) as variables,
        (select count(*) from events where type = 'enrollment.created') as events from enrollments`,
    );
    assert.equal(totals.enrolled, rows);
    assert.deepEqual(Object.values(enrolled ?? {}).map(Number), [rows, rows, rows]);
    await assertConsistent(service.database);
    report(test, `kill-import-${engine}`, { rows, found: state, created: totals.created, doubled: 0 });
  });
