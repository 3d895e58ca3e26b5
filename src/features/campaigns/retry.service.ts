import type { Db } from '../../db/db.ts';
import { invalid, invalidField } from '../../lib/errors.ts';
import { getCallSettings } from '../calls/call-settings.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { EnrollmentUpdate } from './campaign.schema.ts';
import type { EnrollmentRow } from './enrollment.store.ts';
import type { RetryRule } from './schedule.schema.ts';

export const parseRules = (rules: string | null): RetryRule[] =>
  rules === null ? [] : (JSON.parse(rules) as RetryRule[]);

/** Rejects rules for dispositions that the workspace does not define. Those of existing rules may have been removed since. */
export const assertDispositions = async (
  db: Db,
  principal: Principal,
  rules: readonly RetryRule[],
  before: readonly RetryRule[],
): Promise<void> => {
  if (rules.length === 0) return;
  const { dispositions } = await getCallSettings(db, principal);
  const known = new Set([
    ...dispositions.map(({ key }) => key),
    ...before.map(({ disposition }) => disposition),
  ]);
  const problems = rules.flatMap(({ disposition }, at) =>
    known.has(disposition)
      ? []
      : [
          {
            field: `retry_rules[${at}].disposition`,
            message: `is not a disposition of this workspace: ${disposition}. Add it with PUT /v1/call-settings first.`,
          },
        ],
  );
  if (problems.length > 0) throw invalid(problems);
};

const STATUSES = { retry: 'pending', complete: 'completed', fail: 'failed' } as const;

/** The update that the rule for a disposition makes of a report. A repeated report keeps the time of the first one. */
export const byRule = (
  before: EnrollmentRow & { readonly retry_rules: string | null },
  { disposition, ...change }: EnrollmentUpdate,
): EnrollmentUpdate => {
  if (disposition === undefined) return change;
  const rule = parseRules(before.retry_rules).find((each) => each.disposition === disposition);
  if (!rule)
    throw invalidField(
      'disposition',
      `has no retry rule in this campaign: ${disposition}. Send status instead, or add a rule with PUT /v1/campaigns/${before.campaign_id}/schedule.`,
    );
  const { outcome = disposition } = change;
  const status = STATUSES[rule.action];
  const decided = { ...change, status, outcome };
  if (status !== 'pending') return decided;
  const { claim_id, available_at } = before;
  const isRepeated =
    change.claim_id === claim_id && before.status === 'pending' && before.outcome === outcome;
  const due = new Date(Date.now() + (rule.after_minutes ?? 0) * 60_000).toISOString();
  return { ...decided, retry_at: isRepeated ? available_at : due };
};
