import type { Migration } from './migration.ts';

/** A replaced secret that is still accepted until a time. */
export const rotation: Migration = {
  name: 'secrets of channels and integrations that were rotated',
  statements: () =>
    [
      ['channels', 'old_secret_hash'],
      ['channels', 'old_secret_sealed'],
      ['channels', 'old_secret_expires_at'],
      ['channels', 'old_token_sealed'],
      ['channels', 'old_token_expires_at'],
      ['integrations', 'old_secret_hash'],
      ['integrations', 'old_secret_expires_at'],
    ].map(([table, column]) => `alter table ${table} add column ${column} text`),
};
