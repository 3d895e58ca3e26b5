import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const audit: Migration = {
  name: 'audit',
  statements: (engine) => {
    const { int8, order, index } = dialect[engine];
    return [
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
      // The entry of a background job, whose counts grow while it runs.
      `alter table imports add column entry ${int8}`,
    ];
  },
};
