import { sql } from 'kysely';
import { namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { derivedStatement as statement } from '../../db/statement.ts';
import type { Role } from '../workspaces/principal.ts';

const columns = {
  workspace_id: number,
  /** Sorts by time. */
  id: text,
  at: text,
  kind: text,
  /** The role that sees it; owners also see the notices of members. */
  audience: typed<Role>(),
  /** The only user who sees it; null for every user of the audience. */
  recipient: textOrNull,
  /** The user who did it and needs no notice of it. */
  actor: textOrNull,
  subject: text,
  name: text,
  /** A JSON object. */
  counts: textOrNull,
  detail: textOrNull,
};
export type NoticeRow = typeof columns;
const COLUMNS = namesOf(columns);

const notices = rowsOf<NoticeRow>({ table: 'notices', readsDerived: true });

type ReadRow = { workspace_id: number; user_id: string; notice_id: string };

export const insertNotices = notices.insertAll(COLUMNS);
export const deleteBefore = notices.removeExpired('id');

/** Only the newest are examined, so that the work does not grow with the notices of other users. */
const EXAMINED = 200;

export const listVisible = statement(
  ({ workspace, user, role }: { workspace: number; user: string; role: Role }) => sql<
    Omit<NoticeRow, 'workspace_id' | 'audience' | 'recipient'>
  >`
    select id, at, kind, actor, subject, name, counts, detail from (
      select * from notices where workspace_id = ${workspace} order by id desc limit ${sql.lit(EXAMINED)}
    ) as newest
    where (recipient is null or recipient = ${user}) and (audience = 'member' or audience = ${role})
    order by id desc`,
);

/** The newest notice that the user sees, and how far the user has read. */
export const findNewest = statement(
  ({ workspace, user, role }: { workspace: number; user: string; role: Role }) => sql<object>`
    select max(id) as newest, (
      select notice_id from notice_reads where workspace_id = ${workspace} and user_id = ${user}
    ) as read_until from (
      select * from notices where workspace_id = ${workspace} order by id desc limit ${sql.lit(EXAMINED)}
    ) as newest
    where (recipient is null or recipient = ${user}) and (audience = 'member' or audience = ${role})`,
);

const reads = rowsOf<ReadRow>({ table: 'notice_reads', readsDerived: true });
export const findRead = reads.find(['notice_id'], { by: { user: 'user_id' } });
export const deleteRead = reads.removeBy({ by: { user: 'user_id' } });

/** The position never moves back. */
export const upsertRead = statement(
  ({ workspace_id, user_id, notice_id }: ReadRow) => sql<never>`
    insert into notice_reads (workspace_id, user_id, notice_id) values (${workspace_id}, ${user_id}, ${notice_id})
    on conflict (workspace_id, user_id) do update set notice_id = excluded.notice_id
    where notice_reads.notice_id < excluded.notice_id`,
);
