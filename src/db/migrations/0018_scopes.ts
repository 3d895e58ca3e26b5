import type { Migration } from './migration.ts';

export const scopes: Migration = {
  name: 'scopes of keys',
  statements: () => [
    // Separated by spaces; null if the key has only its `scope`. For earlier versions of the program, a key with a list has
    // the scope `read`.
    'alter table keys add column scopes text',
    // The interface through which a change was made; null for the API, the dashboard and the command line.
    'alter table audit_entries add column via text',
  ],
};
