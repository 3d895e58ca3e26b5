import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Bulk jobs, details of imports, and indexes of the audit log and the job queue. */
export const work: Statements = (engine) => {
  const { int8, order, index } = dialect[engine];
  return [
    // The interface through which a change was made; null for the API, the dashboard and the command line.
    'alter table audit_entries add column via text',
    'create index audit_entries_by_time on audit_entries (workspace_id, at, seq)',
    // Finds the last claim of a campaign.
    `create index audit_entries_of_claims on audit_entries (workspace_id, parent, seq)
      where action = 'enrollment.claimed'`,
    // A workspace's job that has waited longest is the first entry of a range.
    'create index jobs_of_workspace on jobs (workspace_id, due_at)',

    // Why rows of an import are rejected or incomplete, what later rows of the same number add, and their ids in a CRM.
    `alter table imports add column reasons text not null default '{}'`,
    'alter table import_rows add column code text',
    'alter table import_rows add column merged text',
    'alter table import_rows add column crm_id text',
    `create index import_rows_by_code on import_rows (workspace_id, import_id, code, number)
      where code is not null`,
    `create index import_rows_by_crm_id on import_rows (workspace_id, crm_id, number)
      where crm_id is not null`,
    // How many bytes the rows take, for the quota of a workspace. Earlier imports count as none.
    `alter table imports add column stored_bytes ${int8} not null default 0`,
    'create index imports_with_rows on imports (workspace_id, stored_bytes) where stored_bytes > 0',

    // `filter`, `ids` and `parameters` are JSON. The ids are those of the selection or, with a filter, those it leaves out.
    // `progress` is the `seq` of the last contact of a filter, or a position in the list of ids.
    `create table bulk_jobs (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      action text not null,
      status text not null,
      filter text,
      ids text not null,
      excluded int not null,
      parameters text not null,
      until_seq ${int8} not null,
      progress ${int8} not null,
      total int not null,
      processed int not null,
      changed int not null,
      unchanged int not null,
      missing int not null,
      blocked int not null,
      reasons text not null,
      error text,
      entry ${int8},
      undone_by text,
      created_by text not null,
      request_id text,
      created_at text not null,
      started_at text,
      finished_at text,
      primary key (workspace_id, id)
    ) ${index}`,
    'create unique index bulk_jobs_in_order on bulk_jobs (workspace_id, seq)',
    // What a bulk job changed, for an undo: one row for each contact, in the order of the changes. `former` is JSON.
    `create table bulk_changes (
      workspace_id ${int8} not null references workspaces (id),
      job_id text not null,
      position ${int8} not null,
      contact_id text not null,
      former text not null,
      primary key (workspace_id, job_id, position)
    ) ${index}`,
    'create index bulk_changes_of_contact on bulk_changes (workspace_id, contact_id)',
    ...withoutSamples(engine, 'bulk_changes', 'former'),
  ];
};
