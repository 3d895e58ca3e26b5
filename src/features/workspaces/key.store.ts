import { sql } from 'kysely';
import { type Key, namesOf, number, rowsOf, text, textOrNull, typed } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import type { Preset } from '../../lib/scopes.ts';

const columns = {
  workspace_id: number,
  id: text,
  name: text,
  hash: text,
  /** `read` for a key with `scopes`. */
  scope: typed<Preset>(),
  /** Separated by spaces; null for a key with a preset. */
  scopes: textOrNull,
  created_at: text,
  expires_at: textOrNull,
  /** As `600/1m`; null for the default rate limit. */
  rate_limit: textOrNull,
  revoked_at: textOrNull,
  last_used_at: textOrNull,
};
export type KeyRow = typeof columns;
const COLUMNS = namesOf(columns);

/** Null for a key of an earlier version. */
type KeyOrigin = {
  /** The first characters of the key. */
  prefix: string | null;
  /** The id of the user or key that created it, or an actor without an id. */
  created_by: string | null;
};

const keys = rowsOf<KeyRow & KeyOrigin>({ table: 'keys' });

export const findKeyById = keys.find(COLUMNS);
export const findKeyByHash = keys.find(COLUMNS, { by: { hash: 'hash' } });
export const insertKey = keys.insert([...COLUMNS, 'prefix', 'created_by']);

/** With the email or the name of the creator; null if it was deleted. */
export const listKeyOrigins = statement(
  ({ workspace }: { workspace: number }) => sql<KeyOrigin & { id: string; creator_name: string | null }>`
    select keys.id, keys.prefix, keys.created_by, coalesce(users.email, creators.name) as creator_name
    from keys
    left join users on users.id = keys.created_by and users.workspace_id = ${workspace}
    left join keys as creators on creators.workspace_id = ${workspace} and creators.id = keys.created_by
    where keys.workspace_id = ${workspace}
    order by keys.created_at, keys.id`,
);

export const listKeyRows = keys.find(COLUMNS, { by: {}, order: sql`created_at, id` });

export const markRevoked = keys.set(['revoked_at'], { where: sql`revoked_at is null` });

/** Several instances write times of use late, so only a later time replaces the stored one. */
export const markUsed = statement(
  ({ workspace, id, at }: Key & { at: string }) => sql<never>`
    update keys set last_used_at = ${at}
    where workspace_id = ${workspace} and id = ${id} and (last_used_at is null or last_used_at < ${at})`,
);

type Expiring = { id: string; name: string; expires_at: string };

/** The keys that expire within a period, each only once. */
export const markExpiringNoticed = statement(
  (args: { workspace: number; now: string; until: string; createdBefore: string }) => sql<Expiring>`
    update keys set expiry_noticed_at = ${args.now}
    where workspace_id = ${args.workspace} and expires_at is not null and revoked_at is null
      and expiry_noticed_at is null and expires_at > ${args.now} and expires_at <= ${args.until}
      and created_at < ${args.createdBefore}
    returning id, name, expires_at`,
);
