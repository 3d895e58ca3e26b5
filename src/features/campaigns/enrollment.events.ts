import type { Db } from '../../db/db.ts';
import { timestamp } from '../../lib/clock.ts';
import { change } from '../../records/change.ts';
import { parseVariables } from '../agents/variable.values.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { EnrollmentReason, ProgressKind } from './campaign.schema.ts';
import { findListedCampaigns } from './campaign.store.ts';
import { type Counted, countersOf, progressCounter } from './enrollment.counts.ts';
import * as store from './enrollment.store.ts';

export const hasLease = ({ status, leased }: Pick<store.EnrollmentRow, 'status' | 'leased'>): boolean =>
  status === 'in_progress' && leased === 1;

/** Enrollments that are due have no reason, and a claim does not change their variables. */
type State = Counted &
  Pick<store.EnrollmentRow, 'attempts' | 'leased' | 'available_at'> &
  Partial<Pick<store.EnrollmentRow, 'variables'>>;

/** The fields that change after the enrollment, apart from `updated_at` and the variables. */
const stateOf = (row: State) => ({
  status: row.status,
  reason: row.reason ?? null,
  attempts: row.attempts,
  outcome: row.outcome,
  retry_at: row.status === 'pending' && row.available_at !== '' ? row.available_at : null,
  lease_expires_at: hasLease(row) ? row.available_at : null,
});

/** An enrollment as events show it. Its variables are personal data, which only the API shows. */
export const snapshotOf = (row: store.ListedEnrollment) => ({
  campaign_id: row.campaign_id,
  campaign_name: row.campaign_name,
  campaign_status: row.campaign_status,
  contact_id: row.contact_id,
  contact_name: nameOf(row),
  contact_phone_number: row.phone_number,
  ...stateOf(row),
  reason: row.reason === null ? null : (JSON.parse(row.reason) as EnrollmentReason),
  last_attempt_at: row.last_attempt_at,
  enrolled_at: row.enrolled_at,
  updated_at: row.updated_at,
});

export const enrollmentOf = (row: store.ListedEnrollment) => ({
  ...snapshotOf(row),
  variables: parseVariables(row.variables),
});

const changesOf = (before: State, after: State): string[] => {
  const [was, is] = [stateOf(before), stateOf(after)];
  const changed: string[] = (Object.keys(is) as (keyof typeof is)[]).filter((name) => was[name] !== is[name]);
  const hasOthers = before.variables !== undefined && before.variables !== after.variables;
  return hasOthers ? [...changed, 'variables'] : changed;
};

/** The counters of the enrollment's state, and of what happened in the campaign. */
const changedCounters = (row: store.EnrollmentRow, before?: State) => {
  const { campaign_id: campaign, status, attempts } = row;
  const isEnded = status === 'completed' || status === 'failed';
  const happened: ProgressKind[] = [
    ...(before ? [] : ['enrolled' as const]),
    ...(before && attempts > before.attempts ? ['claimed' as const] : []),
    ...(before && status !== before.status && isEnded ? [status] : []),
  ];
  return {
    before: before ? countersOf(campaign, before) : [],
    after: [
      ...countersOf(campaign, row),
      ...happened.map((kind) => progressCounter(campaign, timestamp(), kind)),
    ],
  };
};

/** Records a new enrollment, or the change of `before`. `fields` are those of its own entry in the audit log, if any. */
const recordEnrolled = (
  db: Db,
  principal: Principal,
  row: store.ListedEnrollment,
  before?: State,
  fields?: readonly string[],
): void => {
  const { contact_id: contact, campaign_id: campaign, agent_id: agent, status, attempts, outcome } = row;
  const changed = before && changesOf(before, row);
  const action = before ? 'enrollment.updated' : 'enrollment.created';
  const shown = {
    kind: 'enrollment',
    action: changed?.includes('attempts') ? 'enrollment.claimed' : action,
    at: row.updated_at,
    details: { status, attempts, outcome },
  } as const;
  // The timeline does not show that a lease was extended, or that variables were changed.
  const isShown = !changed || changed.some((name) => name !== 'lease_expires_at' && name !== 'variables');
  change(db, principal, {
    action,
    subject: contact,
    parent: campaign,
    fields,
    isAudited: fields !== undefined && fields.length > 0,
    event: { contact, campaign, agent, changed, data: JSON.stringify(snapshotOf(row)) },
    timeline: isShown ? [shown] : [],
    counters: changedCounters(row, before),
  });
};

/** Records new or changed enrollments of a campaign, read with one statement. A changed one has its state before the change. */
export const recordAllEnrolled = async (
  db: Db,
  principal: Principal,
  campaign: string,
  enrollments: readonly ({ contact_id: string } | (State & { contact_id: string }))[],
  fields?: readonly string[],
): Promise<store.ListedEnrollment[]> => {
  if (enrollments.length === 0) return [];
  const byContact = new Map(enrollments.map((row) => [row.contact_id, 'status' in row ? row : undefined]));
  const which = { workspace: principal.workspace, campaign, contacts: JSON.stringify([...byContact.keys()]) };
  const rows = await db.all(store.findListedEnrollments, which);
  for (const row of rows) recordEnrolled(db, principal, row, byContact.get(row.contact_id), fields);
  return rows;
};

/** Records deleted enrollments, with an entry of each in the audit log or without. */
export const recordUnenrolled = async (
  db: Db,
  principal: Principal,
  deleted: readonly store.DeletedEnrollment[],
  isAudited = false,
): Promise<void> => {
  if (deleted.length === 0) return;
  const ids = JSON.stringify([...new Set(deleted.map(({ campaign_id }) => campaign_id))]);
  const campaigns = await db.all(findListedCampaigns, { workspace: principal.workspace, ids });
  const agents = new Map(campaigns.map(({ id, agent_id }) => [id, agent_id]));
  for (const row of deleted) {
    const { contact_id: contact, campaign_id: campaign } = row;
    const agent = agents.get(campaign);
    change(db, principal, {
      action: 'enrollment.deleted',
      subject: contact,
      parent: campaign,
      isAudited,
      event: { contact, campaign, agent },
      // The timeline does not show enrollments of a deleted campaign.
      timeline: agent === undefined ? [] : [{ kind: 'enrollment', action: 'enrollment.deleted' }],
      counters: { before: countersOf(campaign, row) },
    });
  }
};
