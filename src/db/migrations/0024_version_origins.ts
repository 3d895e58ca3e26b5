import type { Migration } from './migration.ts';

/** Who wrote each version, and which version it was edited from. Both are null if unknown: older programs write neither. The
 *  authors of earlier versions come from the audit entries that still exist. */
export const versionOrigins: Migration = {
  name: 'authors of versions',
  statements: () => [
    'alter table agent_versions add column created_by text',
    'alter table agent_versions add column based_on text',
    `update agent_versions set created_by = e.actor from audit_entries as e
      where e.workspace_id = agent_versions.workspace_id and e.action = 'version.created' and e.subject = agent_versions.id`,
  ],
};
