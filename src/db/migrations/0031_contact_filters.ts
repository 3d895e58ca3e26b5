import type { Migration } from './migration.ts';

/** Indexes for filters of contacts that usually match few of them. */
export const contactFilters: Migration = {
  name: 'filters of contacts',
  statements: () => [
    'create index contacts_without_email on contacts (workspace_id, seq) where email is null',
    `create index contacts_without_name on contacts (workspace_id, seq)
      where coalesce(display_name, '') = '' and coalesce(first_name, '') = '' and coalesce(last_name, '') = ''`,
  ],
};
