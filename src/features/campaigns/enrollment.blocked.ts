import type { Db } from '../../db/db.ts';
import { rowsOf } from '../../db/rows.ts';
import { makeDue } from '../../jobs/job.service.ts';
import type { EventRow } from '../../records/event.store.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { contactVariables } from '../agents/placeholders.ts';
import { type RenderedContact, type Renderer, type Rendering, rendererOf } from '../agents/render.service.ts';
import { parseVariables } from '../agents/variable.values.ts';
import { selectByIdsForUpdate } from '../contacts/contact.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { FOLLOWING, startJob } from './campaign.jobs.ts';
import type { EnrollmentReason } from './campaign.schema.ts';
import { type Campaign, recheckAll, updateAudience } from './campaign.store.ts';
import { moveAll } from './enrollment.changes.ts';
import * as store from './enrollment.store.ts';

/* Enrollments whose instructions have a hole: a variable without a value and without a fallback. A claim that renders blocks them. */

const findRendered = rowsOf<RenderedContact & { workspace_id: number }>({ table: 'contacts' }).findMany([
  ...contactVariables,
  'phone_identity',
  'fields',
]);

type Rendered<R> = R & { readonly contact: RenderedContact; readonly rendering: Rendering };

/** Renders the instructions for enrolled contacts. One whose contact is being deleted is left out. */
export const renderAll = async <R extends Pick<store.EnrollmentRow, 'contact_id' | 'variables'>>(
  db: Db,
  { workspace }: Pick<Principal, 'workspace'>,
  renderer: Renderer,
  rows: readonly R[],
): Promise<Rendered<R>[]> => {
  const keys = JSON.stringify(rows.map(({ contact_id }) => contact_id));
  const contacts = new Map((await db.all(findRendered, { workspace, keys })).map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    const contact = contacts.get(row.contact_id);
    return contact ? [{ ...row, contact, rendering: renderer(contact, parseVariables(row.variables)) }] : [];
  });
};

const reasonOf = ({ rendering: { holes } }: Pick<Rendered<unknown>, 'rendering'>): EnrollmentReason => ({
  code: 'missing_values',
  holes,
});

const isComplete = ({ rendering }: Rendered<unknown>): boolean => rendering.holes.length === 0;

/** Renders the instructions for due enrollments, blocks those with a hole, and returns the others. A value that arrives meanwhile is not
 *  lost: the caller has a shared lock of the campaign, for which the job that follows the events waits. */
export const withoutBlocked = async <R extends store.EnrollmentState>(
  db: Db,
  principal: Principal,
  { campaign, renderer, rows }: { campaign: string; renderer: Renderer; rows: readonly R[] },
): Promise<Rendered<R>[]> => {
  const all = await renderAll(db, principal, renderer, rows);
  const blocked = all.filter((each) => !isComplete(each));
  await moveAll(db, principal, campaign, { status: 'blocked', rows: blocked, reasonOf });
  return all.filter(isComplete);
};

/** Starts the job that unblocks enrollments. It begins with all of them, so it also finds values that arrive before. */
export const startFollowing = async (db: Db, campaign: Campaign): Promise<void> => {
  if (campaign.followed_until === null) await startJob(db, campaign, FOLLOWING);
};

type Unblocked = Pick<Campaign, 'id' | 'agent_id'>;

/** Returns those of some contacts to the queue whose missing values have arrived. Their contacts are locked first (see the lock order). */
export const unblock = async (
  db: Db,
  principal: Principal,
  { id: campaign, agent_id: agent }: Unblocked,
  contacts: readonly string[],
): Promise<void> => {
  const { workspace } = principal;
  const status = 'blocked' as const;
  const key = { workspace, campaign, status };
  const found = await db.all(store.findWithStatus, { ...key, contacts: JSON.stringify(contacts) });
  const version = found.length > 0 ? await activeVersion(db, principal, { agent }) : undefined;
  if (!version) return;
  const keys = JSON.stringify(found.map(({ contact_id }) => contact_id));
  await db.all(selectByIdsForUpdate, { workspace, keys });
  const locked = await db.all(store.selectWithStatus, { ...key, contacts: keys });
  const renderer = await rendererOf(db, principal, { agent, version });
  const all = await renderAll(db, principal, renderer, locked);
  // With another reason, if other values are missing.
  const others = all.filter((each) => !isComplete(each) && each.reason !== JSON.stringify(reasonOf(each)));
  await moveAll(db, principal, campaign, { status, rows: others, reasonOf });
  await moveAll(db, principal, campaign, { status: 'pending', rows: all.filter(isComplete) });
};

/** Checks all blocked enrollments again, because a field was restored, which has no event. */
export const recheckBlocked = async (db: Db, { workspace }: Pick<Principal, 'workspace'>): Promise<void> => {
  for (const { id: subject } of await db.all(recheckAll, { workspace }))
    await makeDue(db, { workspace, kind: FOLLOWING, subject });
};

/** Whether an event can fill the holes of every contact: another version, declared variable or agent. */
export const concernsAll = (event: EventRow, { id, agent_id }: Unblocked): boolean =>
  event.type === 'campaign.updated'
    ? event.subject === id
    : (event.type === 'agent.deployed' || event.type === 'agent.updated') && event.agent_id === agent_id;

/** Checks the next of all blocked enrollments. */
export const unblockNext = async (
  db: Db,
  principal: Principal,
  campaign: Campaign,
  { after, size }: { after: string; size: number },
): Promise<void> => {
  const key = { workspace: principal.workspace, campaign: campaign.id, status: 'blocked' as const };
  const next = await db.all(store.walkWithStatus, { ...key, after, limit: size });
  const contacts = next.map(({ contact_id }) => contact_id);
  await unblock(db, principal, campaign, contacts);
  const unblocked_after = next.length < size ? null : (contacts.at(-1) ?? null);
  await db.run(updateAudience, { ...campaign, unblocked_after });
};
