import { sql } from 'kysely';
import { rowsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

export type LinkRow = { workspace_id: number; user_id: string; hash: string; expires_at: string };

/** Creates or replaces the link of a user. Locks the user's row. */
export const upsertLink = statement(
  (row: LinkRow, dialect) => sql<never>`
    insert into sign_in_links (workspace_id, user_id, hash, expires_at)
    select workspace_id, id, ${row.hash}, ${row.expires_at} from users
    where workspace_id = ${row.workspace_id} and id = ${row.user_id} ${dialect.lockRow()}
    on conflict (workspace_id, user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
);

/** Deletes a link and returns its user, to only one of several concurrent requests. */
export const deleteLinkByHash = statement(
  ({ workspace, hash, now }: { workspace: number; hash: string; now: string }) => sql<{ user_id: string }>`
    delete from sign_in_links where workspace_id = ${workspace} and hash = ${hash} and expires_at > ${now}
    returning user_id`,
);

export const deleteLinkOf = rowsOf<LinkRow>({ table: 'sign_in_links' }).removeBy({ by: { user: 'user_id' } });
