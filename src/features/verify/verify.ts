import type { Check, Findings, Snapshot } from '../../db/check.ts';
import { keptCounts } from './counts.ts';
import { madeChecks } from './derived-columns.ts';
import { recordChecks } from './records.ts';

export interface Verdict extends Findings {
  readonly name: string;
}

/** A page that cannot be read is a finding like any other. */
const findingsOf = async (check: Check, snapshot: Snapshot): Promise<Findings> => {
  try {
    return await check.find(snapshot);
  } catch (error) {
    return { count: 1, examples: [`it cannot be told: ${error instanceof Error ? error.message : error}`] };
  }
};

/** Checks one moment of a database, all workspaces of it: each check that holds for its schema, one after the other. */
export async function* verify(
  snapshot: Snapshot,
  { more = [], onStart }: { more?: readonly Check[]; onStart: (name: string) => void },
): AsyncGenerator<Verdict> {
  for (const check of [...snapshot.checks, keptCounts, ...recordChecks, ...madeChecks, ...more]) {
    if (check.since > snapshot.schema) continue;
    onStart(check.name);
    yield { name: check.name, ...(await findingsOf(check, snapshot)) };
  }
}
