import type { Migration } from './migration.ts';

/** Finds the first and the last call or message of a contact. */
export const callsOfContactByTime: Migration = {
  name: 'calls of a contact by time',
  statements: () => [
    'create index calls_of_contact_by_time on calls (workspace_id, contact_id, started_at, id)',
  ],
};
