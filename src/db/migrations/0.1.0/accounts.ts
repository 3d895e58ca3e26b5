import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

export const accounts: Statements = (engine) => {
  const { int8, identity, table } = dialect[engine];
  return [
    // The directory: tables that map a caller to its workspace, and failed sign-ins.
    // `sample` is 1 for a workspace of sample data, which the demo command may remove.
    `create table workspaces (
      id ${identity},
      name text not null unique,
      created_at text not null,
      default_country text,
      sample int not null default 0
    ) ${table}`,
    // An email may belong to one user in each workspace. A workspace cannot see whether another one uses it.
    `create table users (
      id text not null primary key,
      workspace_id ${int8} not null references workspaces (id),
      email text not null,
      password text not null,
      role text not null check (role in ('owner', 'member')),
      created_at text not null,
      ${engine === 'postgres' ? 'constraint users_email ' : ''}unique (workspace_id, email)
    ) ${table}`,
    'create index users_by_email on users (email)',
    `create table hooks (
      id text not null primary key,
      workspace_id ${int8} not null references workspaces (id)
    ) ${table}`,
    `create table sign_in_failures (
      subject text not null,
      at text not null
    ) ${table}`,
    'create index sign_in_failures_recent on sign_in_failures (subject, at)',
    'create index sign_in_failures_old on sign_in_failures (at)',
    // A known text, encrypted, so that a start with another key fails.
    `create table seal_checks (
      name text not null primary key,
      sealed text not null
    ) ${table}`,

    // `rate_limit` is such as `600/1m`; null if the key has no limit of its own.
    `create table keys (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      name text not null,
      hash text not null,
      scope text not null check (scope in ('read', 'read_write')),
      created_at text not null,
      expires_at text,
      revoked_at text,
      last_used_at text,
      rate_limit text,
      primary key (workspace_id, id),
      unique (workspace_id, hash)
    ) ${table}`,
    // Shared by all instances on one server. SQLite has one process, which counts in memory. Unlogged: losing it in a crash only
    // starts a new window. One row for each limited key, written often.
    ...(engine === 'postgres'
      ? [
          `create unlogged table rate_limits (
            workspace_id bigint not null references workspaces (id) on delete cascade,
            key_id text not null,
            until float8 not null,
            granted int not null,
            primary key (workspace_id, key_id)
          ) with (fillfactor = 50)`,
        ]
      : []),

    // `by_link` is 1 for a session that was opened by a link, until a password is set in it.
    `create table sessions (
      workspace_id ${int8} not null references workspaces (id),
      hash text not null,
      user_id text not null,
      created_at text not null,
      expires_at text not null,
      by_link int not null default 0,
      primary key (workspace_id, hash)
    ) ${table}`,
    'create index sessions_of_user on sessions (workspace_id, user_id)',
    // At most one for each user: a new link replaces the previous one.
    `create table sign_in_links (
      workspace_id ${int8} not null references workspaces (id),
      user_id text not null,
      hash text not null,
      expires_at text not null,
      primary key (workspace_id, user_id),
      unique (workspace_id, hash)
    ) ${table}`,
    // Where a user has signed in from: a digest of the network and the email.
    `create table sign_in_addresses (
      workspace_id ${int8} not null references workspaces (id),
      user_id text not null,
      address text not null,
      used_at text not null,
      primary key (workspace_id, user_id, address)
    ) ${table}`,
  ];
};
