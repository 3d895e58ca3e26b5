import { type Db, derivedRows } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { expiring } from '../../jobs/expiry.ts';
import { inDays, timestamp } from '../../lib/clock.ts';
import { invalidField } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { markExpiringNoticed } from '../workspaces/key.store.ts';
import type { Role, UserPrincipal } from '../workspaces/principal.ts';
import { findUserRow } from '../workspaces/user.store.ts';
import * as store from './notice.store.ts';

/** What a notice is about, and the role that sees it. */
export const noticeKinds = {
  'import.applied': 'member',
  'import.undone': 'member',
  'import.failed': 'member',
  'campaign.finished': 'member',
  'job.finished': 'member',
  'job.canceled': 'member',
  'job.failed': 'member',
  'key.expiring': 'owner',
  'webhook.disabled': 'owner',
} as const satisfies Record<string, Role>;

export interface NewNotice {
  readonly kind: keyof typeof noticeKinds;
  /** The id of the record. */
  readonly subject: string;
  /** The name of the record at this time. Never data of a contact, because notices outlive it. */
  readonly name: string;
  /** The id of the only user who sees it, for example who started a job. Other ids, such as that of an API key, make it
   *  visible to every user of the role. */
  readonly recipient?: string | undefined;
  /** The user who did it, unless the work took long: for this user it does not count as unread. */
  readonly actor?: string | undefined;
  readonly counts?: Readonly<Record<string, number>> | undefined;
  /** A reason or a time, depending on the kind. */
  readonly detail?: string | null | undefined;
}

/** After this time a user has probably turned to other work. */
const LONG_MS = 10_000;

/** The user to name as the actor of work that has ended: none if it took long. */
export const actorOfShortWork = (user: string | undefined, startedAt: string): string | undefined =>
  Date.now() - Date.parse(startedAt) < LONG_MS ? user : undefined;

const noticeId = typeId('notice');
const userId = typeId('user');

const notices = derivedRows(store.insertNotices);

/** Writes a notice in the transaction of the change. It is a deferred write. */
export const recordNotice = (
  db: Db,
  { workspace }: { readonly workspace: number },
  { kind, subject, name, recipient, actor, counts, detail = null }: NewNotice,
): void =>
  db.defer(notices, {
    workspace_id: workspace,
    id: noticeId.create(),
    at: timestamp(),
    kind,
    audience: noticeKinds[kind],
    recipient: (recipient && userId.parse(recipient)) ?? null,
    actor: (actor && userId.parse(actor)) ?? null,
    subject,
    name,
    counts: counts ? JSON.stringify(counts) : null,
    detail,
  });

const MAX_LISTED = 50;

/** The newest notices of the user, and how many of all that are examined are unread. A new user has not missed what happened
 *  before. */
export const listNotices = read('listNotices', async (db, { workspace, actor, role }: UserPrincipal) => {
  const oldest = inDays(-NOTICE_DAYS);
  const visible = await db.all(store.listVisible, { workspace, user: actor, role });
  const rows = visible.filter(({ at }) => at >= oldest);
  if (rows.length === 0) return { unread: 0, notices: [] };
  const position = await db.get(store.findRead, { workspace, user: actor });
  const since = position ? '' : ((await db.get(findUserRow, { workspace, id: actor }))?.created_at ?? '');
  const isRead = (row: Pick<store.NoticeRow, 'id' | 'at' | 'actor'>) =>
    row.actor === actor || (position ? row.id <= position.notice_id : row.at < since);
  return {
    unread: rows.filter((row) => !isRead(row)).length,
    notices: rows.slice(0, MAX_LISTED).map((row) => {
      const { actor: _, counts, ...shown } = row;
      return { ...shown, counts: counts === null ? null : JSON.parse(counts), read: isRead(row) };
    }),
  };
});

/** Marks a notice and all before it as read. */
export const markNoticesRead = write(
  'markNoticesRead',
  async (db, principal: UserPrincipal, { until }: { until: string }) => {
    const { workspace, actor } = principal;
    const id = noticeId.parse(until);
    if (!id) throw invalidField('until', 'must be the id of a notice, as in the list.');
    // A position in the future would hide new notices.
    const newest = (await db.all(store.listVisible, { workspace, user: actor, role: principal.role }))[0];
    if (newest)
      await db.run(store.upsertRead, {
        workspace_id: workspace,
        user_id: actor,
        notice_id: id < newest.id ? id : newest.id,
      });
    return listNotices(db, principal);
  },
);

const EXPIRY_NOTICE_DAYS = 7;
const MIN_AGE_DAYS = 1;

/** Writes a notice for every key that expires within a week, once. A key that was created less than a day ago gets none yet:
 *  its owner has just chosen the time. Returns 0, because one step handles all. */
export const noticeExpiringKeys = write(
  'noticeExpiringKeys',
  async (db, _: null, { workspace }: { workspace: number }): Promise<0> => {
    const keys = await db.all(markExpiringNoticed, {
      workspace,
      now: timestamp(),
      until: inDays(EXPIRY_NOTICE_DAYS),
      createdBefore: inDays(-MIN_AGE_DAYS),
    });
    for (const { id, name, expires_at } of keys)
      recordNotice(db, { workspace }, { kind: 'key.expiring', subject: id, name, detail: expires_at });
    return 0;
  },
);

/** How long notices are stored. */
export const NOTICE_DAYS = 30;

export const expireNotices = expiring('expireNotices', store.deleteBefore);
