import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { columnsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { change } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { EnrollmentStatus } from './campaign.schema.ts';
import { selectCampaignForClaim } from './campaign.store.ts';
import { countersOf } from './enrollment.counts.ts';
import { snapshotOf } from './enrollment.events.ts';
import { type EnrollmentRow, findListedEnrollments, STATE } from './enrollment.store.ts';

/* A contact has one enrollment in a campaign, so of those of merged contacts the most advanced stays. */

const COLUMNS = [
  'workspace_id',
  'campaign_id',
  ...STATE,
  'enrolled_at',
  'claim_id',
  'zone_group',
  'reason',
] as const satisfies readonly (keyof EnrollmentRow)[];

const ORDER: readonly EnrollmentStatus[] = [
  'completed',
  'in_progress',
  'pending',
  'failed',
  'blocked',
  'skipped',
];

type OfContacts = { workspace: number; contacts: string };
const ofContacts = (lock: boolean) =>
  statement(
    ({ workspace, contacts }: OfContacts, dialect) => sql<EnrollmentRow>`
      select ${columnsOf(COLUMNS)} from enrollments where workspace_id = ${workspace}
      and contact_id in (select value from ${dialect.eachText(contacts)})
      order by campaign_id, contact_id ${lock ? dialect.lockRow() : sql``}`,
  );
const findOfContacts = ofContacts(false);
const lockOfContacts = ofContacts(true);

type Place = { workspace: number; campaign: string; contact: string };
const removeOne = statement(
  ({ workspace, campaign, contact }: Place) => sql<never>`
    delete from enrollments where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}`,
);
const setContact = statement(
  ({ workspace, campaign, contact, to }: Place & { to: string }) => sql<never>`
    update enrollments set contact_id = ${to}
    where workspace_id = ${workspace} and campaign_id = ${campaign} and contact_id = ${contact}`,
);
const insertOne = statement(
  (row: EnrollmentRow) => sql<never>`insert into enrollments (${columnsOf(COLUMNS)})
    values (${sql.join(COLUMNS.map((name) => row[name]))}) on conflict do nothing`,
);

/** The enrollments of merged contacts in one campaign, the one that stays first. */
export type MergedEnrollment = readonly [EnrollmentRow, ...EnrollmentRow[]];

/** Those of contacts, the survivor first, by campaign: only campaigns in which one of the others is enrolled. */
export const enrollmentsToMerge = async (
  db: Db,
  workspace: number,
  ids: readonly string[],
  { lock }: { lock: boolean },
): Promise<MergedEnrollment[]> => {
  const rows = await db.all(lock ? lockOfContacts : findOfContacts, {
    workspace,
    contacts: JSON.stringify(ids),
  });
  const rank = (row: EnrollmentRow) => ORDER.indexOf(row.status) * ids.length + ids.indexOf(row.contact_id);
  return [...Map.groupBy(rows, (row) => row.campaign_id).values()]
    .filter((some) => some.some((row) => row.contact_id !== ids[0]))
    .map((some) => some.toSorted((one, other) => rank(one) - rank(other)) as unknown as MergedEnrollment);
};

const placeOf = ({
  workspace_id: workspace,
  campaign_id: campaign,
  contact_id: contact,
}: EnrollmentRow): Place => ({
  workspace,
  campaign,
  contact,
});

/** Records an enrollment that a contact gets, changes or gives up. What happened in the campaign was counted when it happened. */
const record = async (
  db: Db,
  principal: Principal,
  action: 'created' | 'updated' | 'deleted',
  { campaign_id: campaign, contact_id: contact }: EnrollmentRow,
  counters: { before?: string[]; after?: string[] } = {},
): Promise<void> => {
  const contacts = JSON.stringify([contact]);
  const key = { workspace: principal.workspace, campaign, contacts };
  const row = action === 'deleted' ? undefined : await db.get(findListedEnrollments, key);
  change(db, principal, {
    action: `enrollment.${action}`,
    subject: contact,
    parent: campaign,
    isAudited: false,
    event: {
      contact,
      campaign,
      agent: row?.agent_id,
      ...(action === 'updated' && { changed: ['status'] }),
      ...(row && { data: JSON.stringify(snapshotOf(row)) }),
    },
    counters,
  });
};

const countersOfRow = (row: EnrollmentRow) => countersOf(row.campaign_id, row);

/** Gives the survivor one enrollment in each campaign. A claim of the one that stays can still be reported. */
export const mergeEnrollments = async (
  db: Db,
  principal: Principal,
  to: string,
  merged: readonly MergedEnrollment[],
): Promise<void> => {
  for (const [kept, ...others] of merged) {
    for (const row of others) await db.run(removeOne, placeOf(row));
    if (kept.contact_id !== to) await db.run(setContact, { ...placeOf(kept), to });
    for (const row of others.filter(({ contact_id }) => contact_id !== to))
      await record(db, principal, 'deleted', row, { before: countersOfRow(row) });
    if (kept.contact_id === to) continue;
    await record(db, principal, 'deleted', kept);
    const own = others.find(({ contact_id }) => contact_id === to);
    const counters = own && { before: countersOfRow(own) };
    await record(db, principal, own ? 'updated' : 'created', { ...kept, contact_id: to }, counters);
  }
};

/** Locks the campaigns of enrollments that an undo inserts, before it locks contacts, and returns the ids of those that exist. */
export const lockCampaigns = async (
  db: Db,
  { workspace }: Principal,
  merged: readonly MergedEnrollment[],
): Promise<Set<string>> => {
  const found = new Set<string>();
  for (const id of merged.map(([{ campaign_id }]) => campaign_id).sort())
    if (await db.get(selectCampaignForClaim, { workspace, id })) found.add(id);
  return found;
};

/** Restores the enrollments of contacts that exist again, and returns those that it did not restore. One that was changed since stays
 *  with the survivor. */
export const restoreEnrollments = async (
  db: Db,
  principal: Principal,
  {
    to,
    merged,
    campaigns,
  }: { to: string; merged: readonly MergedEnrollment[]; campaigns: ReadonlySet<string> },
): Promise<EnrollmentRow[]> => {
  const contacts = JSON.stringify([to]);
  const rows = await db.all(lockOfContacts, { workspace: principal.workspace, contacts });
  const now = new Map(rows.map((row) => [row.campaign_id, row]));
  const lost: EnrollmentRow[] = [];
  for (const [kept, ...others] of merged) {
    const current = now.get(kept.campaign_id);
    const isSame = current?.updated_at === kept.updated_at && current.status === kept.status;
    const isOwn = kept.contact_id === to;
    if (!campaigns.has(kept.campaign_id) || (!isSame && !isOwn)) {
      lost.push(...[kept, ...others].filter(({ contact_id }) => contact_id !== to));
      continue;
    }
    const own = others.find(({ contact_id }) => contact_id === to);
    if (!isOwn) await db.run(setContact, { ...placeOf({ ...kept, contact_id: to }), to: kept.contact_id });
    for (const row of others) await db.run(insertOne, row);
    for (const row of others)
      if (row !== own) await record(db, principal, 'created', row, { after: countersOfRow(row) });
    if (isOwn) continue;
    await record(db, principal, 'created', kept);
    const counters = own && { after: countersOfRow(own) };
    await record(db, principal, own ? 'updated' : 'deleted', { ...kept, contact_id: to }, counters);
  }
  return lost;
};
