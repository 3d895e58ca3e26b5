import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const workspaceLife: Migration = {
  name: 'notices, origin of keys, health of integrations, renamed workspaces',
  statements: (engine) => {
    const { int8, index } = dialect[engine];
    return [
      // `audience` is the role that sees a notice. With a `recipient`, only that user does.
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
        primary key (workspace_id, id)
      ) ${index}`,
      // The last notice that a user has marked as read.
      `create table notice_reads (
        workspace_id ${int8} not null references workspaces (id),
        user_id text not null,
        notice_id text not null,
        primary key (workspace_id, user_id)
      ) ${index}`,

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

      // The workspace that the service set up. Its name can change.
      'alter table workspaces add column is_default int not null default 0',
      `update workspaces set is_default = 1 where name = 'default'`,
    ];
  },
};
