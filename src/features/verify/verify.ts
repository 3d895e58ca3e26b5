import { setTimeout as pause } from 'node:timers/promises';
import type { Check, Findings, Snapshot } from '../../db/check.ts';
import { counterCheck, outcomeCheck } from './counts.ts';
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

/** A record that was written between the snapshots of two nodes is not found again in a later snapshot. */
const MAX_RENEWALS = 3;
const RENEW_AFTER_MS = 500;

const confirmedFindings = async (check: Check, snapshot: Snapshot): Promise<Findings> => {
  let findings = await findingsOf(check, snapshot);
  for (let renewal = 0; findings.count > 0 && snapshot.renew && renewal < MAX_RENEWALS; renewal++) {
    await pause(RENEW_AFTER_MS);
    await snapshot.renew();
    findings = await findingsOf(check, snapshot);
  }
  return findings;
};

const checks: readonly Check[] = [counterCheck, outcomeCheck, ...recordChecks, ...derivedColumnChecks];

/** Runs every check that applies to the schema version of a snapshot, on all workspaces. */
export async function* verify(
  snapshot: Snapshot,
  { more = [], onStart }: { more?: readonly Check[]; onStart: (name: string) => void },
): AsyncGenerator<CheckResult> {
  for (const check of [...snapshot.checks, ...checks, ...more]) {
    if ((check.since ?? 0) > snapshot.schema) continue;
    onStart(check.name);
    yield { name: check.name, ...(await confirmedFindings(check, snapshot)) };
  }
}
