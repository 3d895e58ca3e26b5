import type { Migration } from './migration.ts';

/** A workspace's job that has waited longest is the first entry of a range. */
export const jobsOfWorkspace: Migration = {
  name: 'jobs of a workspace by due time',
  statements: () => ['create index jobs_of_workspace on jobs (workspace_id, due_at)'],
};
