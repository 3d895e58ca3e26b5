import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

export const accounts: Statements = (engine) => {
  const { int8, index } = dialect[engine];
  return [
    // Days are in UTC until an owner chooses a time zone.
    'alter table workspaces add column time_zone text',
    // The workspace that the service set up. Its name can change.
    'alter table workspaces add column is_default int not null default 0',
    `update workspaces set is_default = 1 where name = 'default'`,

    // Separated by spaces; null if the key has only its `scope`. For earlier versions of the program, a key with a list has
    // the scope `read`.
    'alter table keys add column scopes text',
    // The first characters of the key, and who created it; null for keys of earlier versions.
    'alter table keys add column prefix text',
    'alter table keys add column created_by text',
    // When the notice of the expiry was written.
    'alter table keys add column expiry_noticed_at text',
    `create index keys_expiring on keys (workspace_id, expires_at)
      where expires_at is not null and revoked_at is null and expiry_noticed_at is null`,
    // `errors` is a JSON array.
    'alter table integrations add column last_delivery_at text',
    'alter table integrations add column errors text',

    // `audience` is the role that sees a notice. With a `recipient`, only that user does. Notices of what its `actor` has just
    // done do not count as unread for that user.
    `create table notices (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      at text not null,
      kind text not null,
      audience text not null,
      recipient text,
      subject text not null,
      name text not null,
      counts text,
      detail text,
      actor text,
      primary key (workspace_id, id)
    ) ${index}`,
    // The last notice that a user has marked as read.
    `create table notice_reads (
      workspace_id ${int8} not null references workspaces (id),
      user_id text not null,
      notice_id text not null,
      primary key (workspace_id, user_id)
    ) ${index}`,
    // `query` has the parameters of the list's address. A view that is not shared is visible to its creator alone.
    `create table saved_views (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      list text not null,
      name text not null,
      query text not null,
      created_by text not null,
      shared int not null,
      created_at text not null,
      updated_at text not null,
      primary key (workspace_id, id)
    ) ${index}`,
    'create index saved_views_of_list on saved_views (workspace_id, list, name, id)',
    'create index saved_views_of_user on saved_views (workspace_id, created_by)',
  ];
};
