import type { Migration } from './migration.ts';

/** The audit log can be filtered by time. */
export const auditByTime: Migration = {
  name: 'audit by time',
  statements: () => ['create index audit_entries_by_time on audit_entries (workspace_id, at, seq)'],
};
