import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const savedViews: Migration = {
  name: 'saved views',
  statements: (engine) => {
    const { int8, index } = dialect[engine];
    return [
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
  },
};
