import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

const OF_CONTACT = `exists (
  select 1 from contacts as c where c.workspace_id = e.workspace_id and c.id = e.subject)`;

/** The history of a contact, for its timeline. Audit entries have no index by record, no names of tags, and one entry for many
 *  contacts; events expire after 30 days. Each kind of change is a range of the primary key. Existing audit entries and
 *  enrollments are copied; older programs that still write add none. */
export const contactChanges: Migration = {
  name: 'changes of contacts',
  statements: (engine) => {
    const { int8, index } = dialect[engine];
    return [
      'alter table contacts add column created_by text',
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
      // The details have names of tags. PostgreSQL keeps samples of a table that was emptied.
      ...(engine === 'postgres' ? ['alter table contact_changes alter column details set statistics 0'] : []),
      'create index contact_changes_by_time on contact_changes (workspace_id, at)',
      // The calls of a contact in the order in which they started.
      'create index calls_of_contact_by_start on calls (workspace_id, contact_id, medium, started_at, id)',
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
  },
};
