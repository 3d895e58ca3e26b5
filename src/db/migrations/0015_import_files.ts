import type { Migration } from './migration.ts';

/** How the file of an import was read, and which values of its rows were skipped. */
export const importFiles: Migration = {
  name: 'the format of imported files, warnings of their rows',
  statements: () => [
    'alter table imports add column file text',
    'alter table import_rows add column warnings text',
    `create index import_rows_with_warnings on import_rows (workspace_id, import_id, number)
      where warnings is not null`,
  ],
};
