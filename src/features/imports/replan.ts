import type { Step } from '../../jobs/runner.ts';
import { nextToReplan, replanRows } from './replan.service.ts';
import { readRows } from './worker/client.ts';

/** One step of planning once more: the rows are read outside of the transaction, on the thread that reads files. */
export const replanStep: Step = async (storage, { job, size }) => {
  const part = { id: job.subject, size };
  const { moment, options, columns, rows } = await storage.run(
    nextToReplan,
    { workspace: job.workspace_id },
    part,
  );
  const read = await readRows(rows, columns, options);
  return storage.run(replanRows, null, { job, moment, read });
};
