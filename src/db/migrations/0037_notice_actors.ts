import type { Migration } from './migration.ts';

/** Notices of what a user has just done do not count as unread for that user. */
export const noticeActors: Migration = {
  name: 'actors of notices',
  statements: () => ['alter table notices add column actor text'],
};
