import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const imports: Migration = {
  name: 'imports, jobs, default country',
  statements: (engine) => {
    const { int8, order, table } = dialect[engine];
    return [
      'alter table workspaces add column default_country text',
      // Finds a legacy number that has no identity.
      `create index contacts_without_identity on contacts (workspace_id, phone_number)
        where coalesce(phone_identity, '') = ''`,
      'create index contacts_in_conflict on contacts (workspace_id, seq) where phone_conflict = 1',

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
        primary key (workspace_id, import_id, number),
        foreign key (workspace_id, import_id) references imports (workspace_id, id)
      ) ${table}`,
      `create index import_rows_by_identity on import_rows (workspace_id, identity, number)
        where identity is not null`,
      'create index import_rows_by_verdict on import_rows (workspace_id, import_id, verdict, number)',
      'create index import_rows_of_contact on import_rows (workspace_id, contact_id, number) where contact_id is not null',
    ];
  },
};
