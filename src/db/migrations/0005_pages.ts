import type { Migration } from './migration.ts';

/** Indexes and columns for the dashboard's lists and counts. */
export const pages: Migration = {
  name: 'sample workspaces, orders and counts for the pages',
  statements: () => [
    // 1 for a workspace of sample data, which the demo command may remove.
    'alter table workspaces add column sample int not null default 0',

    'create index calls_of_agent on calls (workspace_id, agent_id, seq)',
    'create index calls_by_direction on calls (workspace_id, direction, seq)',
    'create index deploys_of_version on deploys (workspace_id, version_id, number)',
    'create index enrollments_by_status on enrollments (workspace_id, campaign_id, status, contact_id)',

    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'calls', 0, count(*) from calls group by workspace_id`,
    `insert into tallies (workspace_id, list, part, count)
      select workspace_id, 'enrollments@' || campaign_id || '/' || status, 0, count(*) from enrollments
      group by workspace_id, campaign_id, status`,
  ],
};
