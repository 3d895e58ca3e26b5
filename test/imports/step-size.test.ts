import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Storage } from '../../src/db/storage.ts';
import { applyStep, startApply } from '../../src/features/imports/apply.service.ts';
import { getImport } from '../../src/features/imports/import.service.ts';
import { deleteImport, deleteRowsStep } from '../../src/features/imports/lifecycle.service.ts';
import { replanStep, startReplan } from '../../src/features/imports/plan.service.ts';
import { planFile } from '../../src/features/imports/plan-file.ts';
import { startUndo, undoStep } from '../../src/features/imports/undo.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { MAX_UNMAPPED_CELL } from '../../src/files/csv/limits.ts';
import { claimJob, type JobRow } from '../../src/jobs/job.service.ts';
import { type Step, transactionStep } from '../../src/jobs/runner.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

/** As long as a cell of an unmapped column is stored. */
const CELL = 'x'.repeat(MAX_UNMAPPED_CELL);
const UNMAPPED = Array.from({ length: 7 }, (_, at) => `Other ${at}`);
const ROWS = 60;
const SIZE = 1_000;
/** All rows have 3.4 MB, and a step has 1 MB plus the rows that exceed it. */
const MAX_ROWS = 22;
const options = {
  country: null,
  legacy: false,
  on_existing: 'fill',
  tags: 'merge',
  on_invalid: 'omit_field',
} as const;

async function* file(): AsyncGenerator<Buffer> {
  yield Buffer.from(`Phone,Name,${UNMAPPED.join()}\n`);
  for (let at = 0; at < ROWS; at++) {
    yield Buffer.from(
      `+120255501${String(at).padStart(2, '0')},Row ${at},${UNMAPPED.map(() => CELL).join()}\n`,
    );
  }
}

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`Steps of an import of long rows (${engine})`, () => {
    const open = async (test: TestContext) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal } = await makeWorkspace(storage);
      return { database, storage, principal };
    };
    const jobOf = async (storage: Storage, kind: string): Promise<JobRow> => {
      const job = await storage.run(claimJob, null, { kinds: [kind], after: 0 });
      assert.equal(job?.kind, kind);
      return job;
    };
    /** Runs all steps of the job and returns the number of rows of each. */
    const stepsOf = async (storage: Storage, principal: Principal, kind: string, step: Step) => {
      const job = await jobOf(storage, kind);
      const counts: number[] = [];
      let [isDone, before] = [false, 0];
      while (!isDone) {
        isDone = await step(storage, { job, size: SIZE });
        const { progress } = await storage.run(getImport, principal, { id: job.subject });
        counts.push(progress - before);
        before = progress;
      }
      return counts;
    };
    const assertSmallSteps = (counts: readonly number[]) => {
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        ROWS,
      );
      assert.ok(Math.max(...counts) <= MAX_ROWS, `${counts}`);
      assert.ok(Math.max(...counts) > MAX_ROWS / 2, 'and they are not tiny either');
    };

    it('Planning, replanning, applying, undoing and deleting an import work in steps of limited size', async (test) => {
      const { database, storage, principal } = await open(test);
      const planned: number[] = [];
      const run = ((operation, principal, input) => {
        if (operation.operationName === 'planRows') planned.push((input as { rows: unknown[] }).rows.length);
        return storage.run(operation, principal, input);
      }) as Storage['run'];
      const id = await planFile({ ...storage, run }, principal, { name: 'x', options, bytes: file() });
      assertSmallSteps(planned);
      await storage.run(startReplan, principal, { id, country: 'US' });
      assertSmallSteps(await stepsOf(storage, principal, 'import.planning', transactionStep(replanStep)));
      await storage.run(startApply, principal, { id });
      assertSmallSteps(await stepsOf(storage, principal, 'import.applying', transactionStep(applyStep)));
      await storage.run(startUndo, principal, { id });
      assertSmallSteps(await stepsOf(storage, principal, 'import.undoing', transactionStep(undoStep)));
      // Another import: undoing the first one has deleted its contacts, and with them the cells of its rows.
      const other = await planFile(storage, principal, { name: 'y', options, bytes: file() });
      await storage.run(deleteImport, principal, { id: other });
      const job = await jobOf(storage, 'import.deleting');
      await storage.run(deleteRowsStep, null, { job, size: SIZE });
      const [left] = await database.query(
        'select count(*) as count from import_rows where import_id = ?',
        other,
      );
      assert.ok(Number(left?.count) >= ROWS - MAX_ROWS && Number(left?.count) < ROWS);
    });
  });
}
