import type { Engine } from '../../dialect.ts';
import type { Statements } from '../migration.ts';

/** An enrollment can be `skipped` or `blocked`, which the check of earlier versions refuses. SQLite has to copy the table to change a
 *  check. */
const enrollmentStatuses = (engine: Engine): readonly string[] =>
  engine === 'postgres'
    ? ['alter table enrollments drop constraint enrollments_status_check']
    : [
        `create table new_enrollments (
          workspace_id int not null,
          campaign_id text not null,
          contact_id text not null,
          status text not null,
          enrolled_at text not null,
          updated_at text not null,
          primary key (workspace_id, campaign_id, contact_id),
          foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id),
          foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
        ) strict`,
        'insert into new_enrollments select * from enrollments',
        'drop table enrollments',
        'alter table new_enrollments rename to enrollments',
        'create index enrollments_of_contact on enrollments (workspace_id, contact_id)',
        'create index enrollments_by_status on enrollments (workspace_id, campaign_id, status, contact_id)',
      ];

/** Campaigns as work queues, with schedules and call windows. Instances of the previous version ignore them. */
const campaigns = [
  // `available_at` is the retry time of a pending enrollment, or the end of the lease of one in progress. Older programs write
  // neither: what they enroll is available immediately, and what they mark as in progress has no lease. The index has exactly
  // the enrollments that can be claimed now or later.
  'alter table enrollments add column attempts int not null default 0',
  'alter table enrollments add column outcome text',
  // 1 if the outcome has a counter of its own in its campaign.
  'alter table enrollments add column outcome_counted int not null default 0',
  'alter table enrollments add column claim_id text',
  'alter table enrollments add column leased int not null default 0',
  "alter table enrollments add column available_at text not null default ''",
  `create index enrollments_queue on enrollments (workspace_id, campaign_id, available_at, enrolled_at, contact_id)
    where status = 'pending' or (status = 'in_progress' and leased = 1)`,

  'alter table campaigns add column starts_at text',
  'alter table campaigns add column ends_at text',
  // Null while the start is not over.
  'alter table campaigns add column start_state text',
  'alter table campaigns add column call_window text',
  'alter table campaigns add column max_attempts int',
  'alter table campaigns add column min_retry_minutes int',
  // The last contact whose zone is stored, while a job stores the zones of all.
  'alter table campaigns add column zones_after text',
  'alter table campaigns add column deleted_at text',
  // '' in campaigns that never had a call window, so they do not maintain the index by zone.
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
];

/** Lists and statistics of calls by the time of their start. */
const calls = [
  'create index calls_by_start on calls (workspace_id, started_at, seq, medium, direction)',
  'create index calls_by_status on calls (workspace_id, status, started_at, seq)',
  'create index calls_of_agent_by_start on calls (workspace_id, agent_id, started_at, seq)',
  'create index calls_of_channel_by_start on calls (workspace_id, channel_id, started_at, seq)',
  'create index calls_of_version_by_start on calls (workspace_id, version_id, started_at, seq)',
  'create index calls_of_contact_by_start on calls (workspace_id, contact_id, medium, started_at, id)',
  // Finds the first and the last call or message of a contact.
  'create index calls_of_contact_by_time on calls (workspace_id, contact_id, started_at, id)',
];

/** Who wrote each version, and which version it was edited from. Both are null if unknown: older programs write neither. The
 *  authors of earlier versions come from the audit entries that still exist. */
const versions = [
  'alter table agent_versions add column created_by text',
  'alter table agent_versions add column based_on text',
  `update agent_versions set created_by = e.actor from audit_entries as e
    where e.workspace_id = agent_versions.workspace_id and e.action = 'version.created' and e.subject = agent_versions.id`,
];

export const callsAndCampaigns: Statements = (engine) => [
  ...versions,
  ...enrollmentStatuses(engine),
  ...campaigns,
  ...calls,
];
