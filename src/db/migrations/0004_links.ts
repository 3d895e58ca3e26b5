import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const links: Migration = {
  name: 'links that sign a person in once',
  statements: (engine) => {
    const { int8, table } = dialect[engine];
    return [
      // At most one for each user: a new link replaces the previous one.
      `create table sign_in_links (
        workspace_id ${int8} not null references workspaces (id),
        user_id text not null,
        hash text not null,
        expires_at text not null,
        primary key (workspace_id, user_id),
        unique (workspace_id, hash)
      ) ${table}`,
      // 1 for a session that was opened by a link, until a password is set in it.
      'alter table sessions add column by_link int not null default 0',
    ];
  },
};
