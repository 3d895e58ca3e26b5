import type { Migration } from './migration.ts';

/** Campaigns as work queues. `available_at` is the retry time of a pending enrollment, or the end of the lease of one in
 *  progress. Older programs write neither: what they enroll is available immediately, and what they mark as in progress has
 *  no lease. The index has exactly the enrollments that can be claimed now or later. */
export const claims: Migration = {
  name: 'claims of enrollments',
  statements: () => [
    'alter table enrollments add column attempts int not null default 0',
    'alter table enrollments add column outcome text',
    'alter table enrollments add column claim_id text',
    'alter table enrollments add column leased int not null default 0',
    "alter table enrollments add column available_at text not null default ''",
    `create index enrollments_queue on enrollments (workspace_id, campaign_id, available_at, enrolled_at, contact_id)
      where status = 'pending' or (status = 'in_progress' and leased = 1)`,
  ],
};
