import type { Migration } from './migration.ts';

export const limits: Migration = {
  name: 'rate limits of keys',
  statements: (engine) => [
    // Such as `600/1m`; null if the key has no limit of its own.
    'alter table keys add column rate_limit text',
    // Shared by all instances on one server. SQLite has one process, which counts in memory.
    ...(engine === 'postgres'
      ? [
          // Unlogged: losing it in a crash only starts a new window. One row for each limited key, written often.
          `create unlogged table rate_limits (
            workspace_id bigint not null references workspaces (id) on delete cascade,
            key_id text not null,
            until float8 not null,
            granted int not null,
            primary key (workspace_id, key_id)
          ) with (fillfactor = 50)`,
        ]
      : []),
  ],
};
