import type { Migration } from './migration.ts';

/** Why rows of an import are rejected or incomplete, what later rows of the same number add, and their ids in a CRM. */
export const importReasons: Migration = {
  name: 'reasons, merged rows and CRM ids of imports',
  statements: () => [
    `alter table imports add column reasons text not null default '{}'`,
    'alter table import_rows add column code text',
    'alter table import_rows add column merged text',
    'alter table import_rows add column crm_id text',
    `create index import_rows_by_code on import_rows (workspace_id, import_id, code, number)
      where code is not null`,
    `create index import_rows_by_crm_id on import_rows (workspace_id, crm_id, number)
      where crm_id is not null`,
  ],
};
