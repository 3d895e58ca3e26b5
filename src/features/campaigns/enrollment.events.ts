import type { Db } from '../../db/db.ts';
import { recordContactChange } from '../contacts/change.service.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import { recordEvent } from '../events/event.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './campaign.store.ts';

export const hasLease = ({ status, leased }: Pick<store.EnrollmentRow, 'status' | 'leased'>): boolean =>
  status === 'in_progress' && leased === 1;

type State = Pick<store.EnrollmentRow, 'status' | 'attempts' | 'outcome' | 'leased' | 'available_at'>;

/** The fields that change after the enrollment, apart from `updated_at`. */
const stateOf = (row: State) => ({
  status: row.status,
  attempts: row.attempts,
  outcome: row.outcome,
  retry_at: row.status === 'pending' && row.available_at !== '' ? row.available_at : null,
  lease_expires_at: hasLease(row) ? row.available_at : null,
});

export const enrollmentOf = (row: store.ListedEnrollment) => ({
  campaign_id: row.campaign_id,
  campaign_name: row.campaign_name,
  campaign_status: row.campaign_status,
  contact_id: row.contact_id,
  contact_name: nameOf(row),
  contact_phone_number: row.phone_number,
  ...stateOf(row),
  enrolled_at: row.enrolled_at,
  updated_at: row.updated_at,
});

const changesOf = (before: State, after: State): string[] => {
  const [was, is] = [stateOf(before), stateOf(after)];
  return (Object.keys(is) as (keyof typeof is)[]).filter((name) => was[name] !== is[name]);
};

/** Records a new enrollment, or the change of `before`. */
export const recordEnrolled = (
  db: Db,
  principal: Principal,
  row: store.ListedEnrollment,
  before?: State,
): void => {
  const { contact_id: contact, campaign_id: campaign, agent_id: agent } = row;
  const about = { subject: contact, contact, campaign, agent, data: JSON.stringify(enrollmentOf(row)) };
  if (!before) {
    recordEvent(db, principal, { type: 'enrollment.created', ...about });
    recordForTimeline(db, principal, row, 'enrollment.created');
    return;
  }
  const changed = changesOf(before, row);
  recordEvent(db, principal, { type: 'enrollment.updated', ...about, changed });
  // The timeline does not show that a lease was extended.
  if (changed.some((name) => name !== 'lease_expires_at')) {
    const isClaim = changed.includes('attempts');
    recordForTimeline(db, principal, row, isClaim ? 'enrollment.claimed' : 'enrollment.updated');
  }
};

const recordForTimeline = (
  db: Db,
  principal: Principal,
  {
    contact_id: contact,
    campaign_id: campaign,
    updated_at: at,
    status,
    attempts,
    outcome,
  }: store.EnrollmentRow,
  action: 'enrollment.created' | 'enrollment.claimed' | 'enrollment.updated',
): void => {
  const details = { status, attempts, outcome };
  recordContactChange(db, principal, { contact, campaign, kind: 'enrollment', action, at, details });
};

/** Records new enrollments of a campaign, or the changes of `before`, with one statement. */
export const recordAllEnrolled = async (
  db: Db,
  principal: Principal,
  { campaign, contacts }: { campaign: string; contacts: readonly string[] },
  before: ReadonlyMap<string, State> = new Map(),
): Promise<void> => {
  if (contacts.length === 0) return;
  const which = { workspace: principal.workspace, campaign, contacts: JSON.stringify(contacts) };
  for (const row of await db.all(store.findListedEnrollments, which)) {
    recordEnrolled(db, principal, row, before.get(row.contact_id));
  }
};

/** Records deleted enrollments. */
export const recordUnenrolled = async (
  db: Db,
  principal: Principal,
  deleted: readonly { contact_id: string; campaign_id: string }[],
): Promise<void> => {
  if (deleted.length === 0) return;
  const ids = JSON.stringify([...new Set(deleted.map(({ campaign_id }) => campaign_id))]);
  const campaigns = await db.all(store.findListedCampaigns, { workspace: principal.workspace, ids });
  const agents = new Map(campaigns.map(({ id, agent_id }) => [id, agent_id]));
  for (const { contact_id: contact, campaign_id: campaign } of deleted) {
    const agent = agents.get(campaign);
    if (agent === undefined) continue;
    const about = { subject: contact, contact, campaign, agent };
    recordEvent(db, principal, { type: 'enrollment.deleted', ...about });
    const change = { contact, campaign, kind: 'enrollment', action: 'enrollment.deleted' } as const;
    recordContactChange(db, principal, change);
  }
};
