import type { Check, Findings, Snapshot } from '../../db/check.ts';
import { counterCheck } from './counts.ts';
import { derivedColumnChecks } from './derived-columns.ts';
import { recordChecks } from './records.ts';

export interface CheckResult extends Findings {
  readonly name: string;
}

/** A check that throws, for example on an unreadable page, has failed. */
const findingsOf = async (check: Check, snapshot: Snapshot): Promise<Findings> => {
  try {
    return await check.find(snapshot);
  } catch (error) {
    return { count: 1, examples: [`the check failed: ${error instanceof Error ? error.message : error}`] };
  }
};

/** Runs every check that applies to the schema version of a snapshot, on all workspaces. */
export async function* verify(
  snapshot: Snapshot,
  { more = [], onStart }: { more?: readonly Check[]; onStart: (name: string) => void },
): AsyncGenerator<CheckResult> {
  for (const check of [...snapshot.checks, counterCheck, ...recordChecks, ...derivedColumnChecks, ...more]) {
    if (check.since > snapshot.schema) continue;
    onStart(check.name);
    yield { name: check.name, ...(await findingsOf(check, snapshot)) };
  }
}
