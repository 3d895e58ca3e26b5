import type { Db } from '../../db/db.ts';
import type { Principal } from '../workspaces/principal.ts';
import { timeZoneOf } from '../workspaces/settings.service.ts';
import { type CallWindow, isOpen, latestTime, nextOpening } from './call-window.ts';
import * as store from './claim.store.ts';
import { moveAll, storeZones } from './enrollment.changes.ts';
import type { EnrollmentState } from './enrollment.store.ts';

interface Queue {
  readonly workspace: number;
  readonly campaign: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Due {
  readonly rows: readonly EnrollmentState[];
  /** How many were found, with those that are not handed out because their number has changed. */
  readonly found: number;
  /** When to ask again, in epoch milliseconds, if the call window is the reason that there are no rows. */
  readonly retryAt?: number | undefined;
}

/** Due retries and expired leases first, then the others in the order of their enrollment: all, or those of a zone. */
export const selectDue = async (
  db: Db,
  { workspace, campaign, now }: Queue,
  limit: number,
  zone = '',
): Promise<EnrollmentState[]> => {
  const args = { workspace, campaign, now: new Date(now).toISOString(), zone };
  const statements = zone
    ? [store.selectDueRetriesOfZone, store.selectNewlyEnrolledOfZone]
    : [store.selectDueRetries, store.selectNewlyEnrolled];
  const rows: EnrollmentState[] = [];
  for (const statement of statements)
    if (rows.length < limit) rows.push(...(await db.all(statement, { ...args, limit: limit - rows.length })));
  return rows;
};

/** When the call window opens for a first contact in the queue, in epoch milliseconds. Undefined if it is open for one, or never opens. */
export const nextWindow = async (
  db: Db,
  principal: Principal,
  { workspace, campaign, now }: Queue,
  call_window: string | null,
): Promise<number | undefined> => {
  if (call_window === null) return undefined;
  const window = JSON.parse(call_window) as CallWindow;
  const zones = await db.all(store.findZones, { workspace, campaign });
  const workspaceZone = await timeZoneOf(db, principal);
  if (zones.some(({ zone }) => isOpen(window, zone, workspaceZone, now))) return undefined;
  const openings = zones.flatMap(({ zone }) => nextOpening(window, zone, workspaceZone, now) ?? []);
  return openings.length > 0 ? Math.min(...openings) : undefined;
};

/** Whether the call window is open now and was open at `since` for someone who was due then. */
export const isOpenSince = async (
  db: Db,
  principal: Principal,
  { workspace, campaign, now }: Queue,
  since: number,
  call_window: string | null,
): Promise<boolean> => {
  if (call_window === null) return true;
  const window = JSON.parse(call_window) as CallWindow;
  const zones = await db.all(store.findZones, { workspace, campaign });
  const workspaceZone = await timeZoneOf(db, principal);
  const time = new Date(since).toISOString();
  return zones.some(
    ({ zone, due_at }) =>
      due_at <= time && [since, now].every((each) => isOpen(window, zone, workspaceZone, each)),
  );
};

/** The due contacts whose local time is inside the call window. Those whose window closes first come first. */
export const selectDueInWindow = async (
  db: Db,
  principal: Principal,
  queue: Queue,
  { window, limit }: { window: CallWindow; limit: number },
): Promise<Due> => {
  const { workspace, campaign, now } = queue;
  const zones = await db.all(store.findZones, { workspace, campaign });
  const workspaceZone = await timeZoneOf(db, principal);
  const time = new Date(now).toISOString();
  const open = zones
    .filter(({ zone, due_at }) => due_at <= time && isOpen(window, zone, workspaceZone, now))
    .map(({ zone }) => ({ zone, time: latestTime(zone, workspaceZone, now) }))
    .sort((one, other) => (one.time > other.time ? -1 : 1));
  const found: (EnrollmentState & { zone: string })[] = [];
  for (const { zone } of open) {
    if (found.length >= limit) break;
    const rows = await selectDue(db, queue, limit - found.length, zone);
    found.push(...rows.map((row) => ({ ...row, zone })));
  }
  // A contact whose number has changed since it was enrolled may be in another zone.
  if (found.length > 0) return { rows: await storeZones(db, queue, found), found: found.length };
  if (open.length > 0) return { rows: [], found: 0 };
  /** A contact is handed out at the first time at which it is due and its window is open. */
  const openings = zones.flatMap(({ zone, due_at }) => {
    const due = due_at === '' ? now : Math.max(now, Date.parse(due_at));
    const at = isOpen(window, zone, workspaceZone, due) ? due : nextOpening(window, zone, workspaceZone, due);
    return at === undefined ? [] : [at];
  });
  return { rows: [], found: 0, retryAt: openings.length > 0 ? Math.min(...openings) : undefined };
};

/** Ends the enrollments among due ones that have used all attempts of the campaign, and returns the others. */
export const withoutExhausted = async (
  db: Db,
  principal: Principal,
  campaign: string,
  { rows, max }: { rows: readonly EnrollmentState[]; max: number },
): Promise<EnrollmentState[]> => {
  const exhausted = rows.filter(({ attempts }) => attempts >= max);
  await moveAll(db, principal, campaign, { status: 'failed', rows: exhausted });
  return rows.filter(({ attempts }) => attempts < max);
};
