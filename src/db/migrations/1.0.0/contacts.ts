import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

const NAME = "coalesce(nullif(display_name, ''), first_name || ' ' || last_name, first_name, last_name, '')";

/** Both engines change only the case of ASCII letters. An expression over folded text would cost SQLite a quarter of its
 *  creates. */
const expressions = {
  sqlite: { name: `substr(lower(${NAME}), 1, 100)`, email: 'lower(email)' },
  postgres: { name: `left(lower(${NAME} collate "C"), 100)`, email: 'lower(email collate "C")' },
};

const OF_CONTACT = `exists (
  select 1 from contacts as c where c.workspace_id = e.workspace_id and c.id = e.subject)`;

/** Sorted and filtered lists of contacts, and their history for the timeline. The indexes are over stored columns and
 *  expressions, so that rows of an earlier version of the program are included. */
export const contacts: Statements = (engine) => {
  const { int8, index } = dialect[engine];
  const { name, email } = expressions[engine];
  return [
    'alter table contacts add column created_by text',
    ...(engine === 'sqlite'
      ? [`insert into contacts_search (contacts_search, rank) values ('automerge', 8)`]
      : []),
    'create index contacts_by_creation on contacts (workspace_id, created_at, seq)',
    'create index contacts_by_update on contacts (workspace_id, updated_at, seq)',
    'create index contacts_by_last_contact on contacts (workspace_id, last_contact_at, seq)',
    'create index contacts_by_source on contacts (workspace_id, source, seq)',
    `create index contacts_by_name on contacts (workspace_id, (${name}), seq)`,
    `create index contacts_by_email on contacts (workspace_id, (${email}), seq) where email is not null`,
    // For filters that usually match few contacts.
    'create index contacts_without_email on contacts (workspace_id, seq) where email is null',
    `create index contacts_without_name on contacts (workspace_id, seq)
      where coalesce(display_name, '') = '' and coalesce(first_name, '') = '' and coalesce(last_name, '') = ''`,

    // Audit entries have no index by record, no names of tags, and one entry for many contacts; events expire after 30 days.
    // Each kind of change is a range of the primary key. Existing audit entries and enrollments are copied; older programs that
    // still write add none.
    `create table contact_changes (
      workspace_id ${int8} not null references workspaces (id),
      contact_id text not null,
      kind text not null check (kind in ('edit', 'tag', 'import', 'enrollment')),
      at text not null,
      id text not null,
      action text not null,
      actor text,
      request_id text,
      campaign_id text,
      details text,
      primary key (workspace_id, contact_id, kind, at, id)
    ) ${index}`,
    // The details have names of tags.
    ...withoutSamples(engine, 'contact_changes', 'details'),
    'create index contact_changes_by_time on contact_changes (workspace_id, at)',
    `insert into contact_changes (workspace_id, contact_id, kind, at, id, action, actor, request_id, details)
      select workspace_id, subject, case when fields = '["tags"]' then 'tag' else 'edit' end, at, 'audit_' || seq, action,
        actor, request_id, '{"fields":' || coalesce(fields, '[]') || '}'
      from audit_entries as e where action = 'contact.updated' and subject is not null and ${OF_CONTACT}`,
    `insert into contact_changes (workspace_id, contact_id, kind, at, id, action, actor, request_id, campaign_id)
      select workspace_id, subject, 'enrollment', at, 'audit_' || seq, action, actor, request_id, parent
      from audit_entries as e where action in ('enrollment.claimed', 'enrollment.updated', 'enrollment.deleted')
      and subject is not null and ${OF_CONTACT}`,
    `insert into contact_changes (workspace_id, contact_id, kind, at, id, action, campaign_id, details)
      select workspace_id, contact_id, 'enrollment', enrolled_at, 'enrollment_' || campaign_id, 'enrollment.created',
        campaign_id, '{"status":"pending"}' from enrollments`,
  ];
};
