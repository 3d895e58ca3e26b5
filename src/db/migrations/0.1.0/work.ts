import { dialect } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Background jobs, imports, answers to repeated requests, and the audit log. */
export const work: Statements = (engine) => {
  const { int8, order, table, index } = dialect[engine];
  return [
    // Background jobs. They run in steps, each in one transaction.
    `create table jobs (
      workspace_id ${int8} not null references workspaces (id),
      kind text not null,
      subject text not null,
      created_at text not null,
      due_at text not null,
      failures ${int8} not null,
      primary key (workspace_id, kind, subject)
    ) ${table}`,
    'create index jobs_by_due on jobs (due_at)',

    // `entry` is its audit entry, whose counts grow while it runs. `file` says how its file was read.
    `create table imports (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      seq ${order},
      name text not null,
      state text not null check (state in
        ('planning', 'planned', 'applying', 'applied', 'undoing', 'undone', 'deleting')),
      options text not null,
      columns text not null,
      totals text not null,
      progress ${int8} not null,
      created_by text not null,
      created_at text not null,
      updated_at text not null,
      applied_at text,
      entry ${int8},
      file text,
      primary key (workspace_id, id),
      unique (workspace_id, seq)
    ) ${table}`,
    `create table import_rows (
      workspace_id ${int8} not null,
      import_id text not null,
      number ${int8} not null,
      line ${int8} not null,
      cells text,
      identity text,
      verdict text not null check (verdict in ('create', 'update', 'unchanged', 'duplicate_in_file', 'invalid')),
      field text,
      reason text,
      effect text check (effect in ('created', 'updated', 'none', 'removed', 'restored', 'edited_since')),
      contact_id text,
      former text,
      written_at text,
      warnings text,
      primary key (workspace_id, import_id, number),
      foreign key (workspace_id, import_id) references imports (workspace_id, id)
    ) ${table}`,
    `create index import_rows_by_identity on import_rows (workspace_id, identity, number)
      where identity is not null`,
    'create index import_rows_by_verdict on import_rows (workspace_id, import_id, verdict, number)',
    'create index import_rows_of_contact on import_rows (workspace_id, contact_id, number) where contact_id is not null',
    `create index import_rows_with_warnings on import_rows (workspace_id, import_id, number)
      where warnings is not null`,

    // The first response to a request with an Idempotency-Key. After its record was deleted, only the row remains.
    `create table retries (
      workspace_id ${int8} not null references workspaces (id),
      route text not null,
      key_hash text not null,
      fingerprint text,
      answer text,
      subject text,
      made_at text not null,
      primary key (workspace_id, route, key_hash)
    ) ${table}`,
    'create index retries_by_age on retries (workspace_id, made_at)',
    'create index retries_of_subject on retries (workspace_id, subject) where subject is not null',

    // Contains no personal data: only ids, field names and counts.
    `create table audit_entries (
      workspace_id ${int8} not null references workspaces (id),
      seq ${order},
      at text not null,
      actor text not null,
      action text not null,
      subject text,
      parent text,
      fields text,
      counts text,
      request_id text,
      primary key (workspace_id, seq)
    ) ${index}`,
  ];
};
