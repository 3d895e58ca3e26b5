import type { Migration } from './migration.ts';

/** Indexes for lists and statistics of calls by the time of their start. They are over stored columns, so that rows of an earlier
 *  version of the program are included. */
export const callLists: Migration = {
  name: 'sorted and filtered lists of calls',
  statements: () => [
    'create index calls_by_start on calls (workspace_id, started_at, seq, medium, direction)',
    'create index calls_by_status on calls (workspace_id, status, started_at, seq)',
    'create index calls_of_agent_by_start on calls (workspace_id, agent_id, started_at, seq)',
    'create index calls_of_channel_by_start on calls (workspace_id, channel_id, started_at, seq)',
    'create index calls_of_version_by_start on calls (workspace_id, version_id, started_at, seq)',
  ],
};
