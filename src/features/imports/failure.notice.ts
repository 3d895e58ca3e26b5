import { write } from '../../db/operation.ts';
import type { Step } from '../../jobs/runner.ts';
import { recordNotice } from '../notices/notice.service.ts';
import * as store from './import.store.ts';

/** A step that fails so often in a row will probably fail again. The queue retries it nevertheless. */
const NOTICED_FAILURES = 5;

export const recordImportFailure = write(
  'recordImportFailure',
  async (db, _: null, key: { workspace: number; id: string }): Promise<void> => {
    const found = await db.get(store.findImport, key);
    if (!found || found.state === 'deleting') return;
    const { id: subject, name } = found;
    recordNotice(db, key, { kind: 'import.failed', subject, name });
  },
);

/** Informs the users once if the steps of an import fail again and again. */
export const withFailureNotice =
  (step: Step): Step =>
  async (storage, work) => {
    try {
      return await step(storage, work);
    } catch (error) {
      const { workspace_id: workspace, subject: id, failures } = work.job;
      if (failures + 1 === NOTICED_FAILURES) {
        // Without a database there is no notice either.
        await storage.run(recordImportFailure, null, { workspace, id }).catch(() => {});
      }
      throw error;
    }
  };
