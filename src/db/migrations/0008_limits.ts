import type { Migration } from './migration.ts';

export const limits: Migration = {
  name: 'rate limits of keys',
  statements: (engine) => [
    // As `600/1m`; nothing where the key has none of its own.
    'alter table keys add column rate_limit text',
    // What instances on one server must agree on. One process alone counts in memory.
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
