import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const accounts: Migration = {
  name: 'emails unique in a workspace, addresses that users signed in from',
  statements: (engine) => {
    const { int8, table } = dialect[engine];
    return [
      // An email may belong to one user in each workspace. A workspace cannot see whether another one uses it.
      ...(engine === 'postgres'
        ? [
            'alter table users drop constraint users_email_key',
            'alter table users add constraint users_email unique (workspace_id, email)',
          ]
        : [
            'alter table users rename to users_before',
            `create table users (
              id text not null primary key,
              workspace_id ${int8} not null references workspaces (id),
              email text not null,
              password text not null,
              role text not null check (role in ('owner', 'member')),
              created_at text not null,
              unique (workspace_id, email)
            ) ${table}`,
            `insert into users (id, workspace_id, email, password, role, created_at)
              select id, workspace_id, email, password, role, created_at from users_before`,
            'drop table users_before',
          ]),
      'create index users_by_email on users (email)',

      // Where a user has signed in from: a digest of the network and the email.
      `create table sign_in_addresses (
        workspace_id ${int8} not null references workspaces (id),
        user_id text not null,
        address text not null,
        used_at text not null,
        primary key (workspace_id, user_id, address)
      ) ${table}`,
    ];
  },
};
