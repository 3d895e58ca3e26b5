import type { Step } from '../../jobs/runner.ts';
import { nextToReplan, replanRows } from './replan.service.ts';
import { readRows } from './worker/client.ts';

/** Replans the next rows. They are read outside of the transaction, on the thread that reads files. */
export const replanStep: Step = async (storage, { job, size }) => {
  const next = { id: job.subject, size };
  const { revision, options, columns, rows } = await storage.run(
    nextToReplan,
    { workspace: job.workspace_id },
    next,
  );
  const read = await readRows(rows, columns, options);
  return storage.run(replanRows, null, { job, revision, read });
};
