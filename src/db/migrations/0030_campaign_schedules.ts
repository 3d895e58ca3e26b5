import type { Migration } from './migration.ts';

/** Schedules and call windows of campaigns. `start_state` is null while the start is not over. `zones_after` is the last contact whose
 *  zone is stored, while a job stores the zones of all. `zone_group` is '' in campaigns that never had a call window, so they do not
 *  maintain the index by zone. Instances of the previous version ignore schedules and windows. */
export const campaignSchedules: Migration = {
  name: 'schedules and call windows of campaigns',
  statements: () => [
    'alter table campaigns add column starts_at text',
    'alter table campaigns add column ends_at text',
    'alter table campaigns add column start_state text',
    'alter table campaigns add column call_window text',
    'alter table campaigns add column max_attempts int',
    'alter table campaigns add column min_retry_minutes int',
    'alter table campaigns add column zones_after text',
    'alter table campaigns add column deleted_at text',
    "alter table enrollments add column zone_group text not null default ''",
    'alter table enrollments add column last_attempt_at text',
    `create index enrollments_queue_by_zone
        on enrollments (workspace_id, campaign_id, zone_group, available_at, enrolled_at, contact_id)
        where zone_group <> '' and (status = 'pending' or (status = 'in_progress' and leased = 1))`,
    'create index campaigns_by_status on campaigns (workspace_id, status, seq)',
    'create index campaigns_by_name on campaigns (workspace_id, name, seq)',
    'create index campaigns_by_change on campaigns (workspace_id, updated_at, seq)',
    // Contacts are counted by hour from here on. Of the time before, only the enrollments are known.
    `insert into tallies (workspace_id, list, part, count)
        select workspace_id, 'progress@' || campaign_id || '/' || substr(enrolled_at, 1, 13) || '/enrolled', 0,
          count(*) from enrollments group by 1, 2`,
  ],
};
