import { sql } from 'kysely';
import { statementsOver } from '../../db/statement.ts';

export type LinkRow = { workspace_id: number; user_id: string; hash: string; expires_at: string };

const statement = statementsOver<{ sign_in_links: LinkRow }>();

/** Puts a link in the place of the one that the user has; the user is held until then. */
export const putLink = statement(
  (_, row: LinkRow, can) => sql<never>`
    insert into sign_in_links (workspace_id, user_id, hash, expires_at)
    select workspace_id, id, ${row.hash}, ${row.expires_at} from users
    where workspace_id = ${row.workspace_id} and id = ${row.user_id} ${can.lockRow()}
    on conflict (workspace_id, user_id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
);

/** Uses a link up. Of many who come with it at once, one is given the user. */
export const takeLink = statement(
  (query, { workspace, hash, now }: { workspace: number; hash: string; now: string }) =>
    query
      .deleteFrom('sign_in_links')
      .where('workspace_id', '=', workspace)
      .where('hash', '=', hash)
      .where('expires_at', '>', now)
      .returning('user_id'),
);

export const deleteLinkOf = statement((query, { workspace, user }: { workspace: number; user: string }) =>
  query.deleteFrom('sign_in_links').where('workspace_id', '=', workspace).where('user_id', '=', user),
);
