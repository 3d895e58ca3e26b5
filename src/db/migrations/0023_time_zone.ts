import type { Migration } from './migration.ts';

/** Days are in UTC until an owner chooses a time zone. */
export const timeZone: Migration = {
  name: 'time zone of a workspace',
  statements: () => ['alter table workspaces add column time_zone text'],
};
