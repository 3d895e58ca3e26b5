import type { Database } from '../db/database.ts';
import { isValid, type VerifyReport, verifyDatabase } from './verify.ts';

const failedIn = ({ results }: VerifyReport): string[] =>
  results.filter(({ count }) => count > 0).map(({ name }) => name);

/** Runs all checks on the copy, and names those that fail on both databases and only on the copy. If some fail, `openForReads` lets other connections read the source, and all checks run on it. */
export const checkCopy = async (
  to: Database,
  source: { readonly database: Database; readonly openForReads: () => Promise<void> },
) => {
  const report = await verifyDatabase(to, () => {}, { forMove: true });
  if (isValid(report)) return { report, failedOnBoth: [], failedOnCopy: [] };
  await source.openForReads();
  const inSource = new Set(failedIn(await verifyDatabase(source.database)));
  const failed = failedIn(report);
  return {
    report,
    failedOnBoth: failed.filter((name) => inSource.has(name)),
    failedOnCopy: failed.filter((name) => !inSource.has(name)),
  };
};

export type CopyChecks = Awaited<ReturnType<typeof checkCopy>>;
