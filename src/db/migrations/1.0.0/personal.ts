import { dialect, withoutSamples } from '../dialect.ts';
import type { Statements } from '../migration.ts';

/** Contact fields and segments, audiences and variables of campaigns, and rendered instructions. */
export const personal: Statements = (engine) => {
  const { int8, table, index } = dialect[engine];
  const bytewise = engine === 'postgres' ? 'collate "C"' : '';
  return [
    // `options` is a JSON array. `indexed` is 1 as soon as the table of values has those of all contacts. A job that indexes the values, or
    // erases them for `erased_by`, has walked the contacts until `walked_until`.
    `create table contact_fields (
      workspace_id ${int8} not null references workspaces (id),
      key text not null,
      label text not null,
      type text not null,
      options text,
      filterable int not null,
      indexed int not null,
      walked_until ${int8} not null default 0,
      erased_by text,
      archived_at text,
      created_at text not null,
      updated_at text not null,
      primary key (workspace_id, key)
    ) ${index}`,
    // Finds the numbers of a country. On SQLite the unique index does.
    ...(engine === 'postgres'
      ? [`create index contacts_by_number on contacts (workspace_id, phone_identity ${bytewise}, seq)`]
      : []),
    // A JSON object of values by key.
    `alter table contacts add column fields text not null default '{}'`,
    // The values of filterable fields, in a form whose order is that of its bytes.
    `create table contact_field_values (
      workspace_id ${int8} not null references workspaces (id),
      field text not null,
      value text ${bytewise} not null,
      seq ${int8} not null,
      primary key (workspace_id, field, value, seq)
    ) ${index}`,
    ...withoutSamples(engine, 'contacts', 'fields'),
    ...withoutSamples(engine, 'contact_field_values', 'value'),

    // `filter` and `columns` are JSON. A segment that is not shared is visible to its creator alone.
    `create table segments (
      workspace_id ${int8} not null references workspaces (id),
      id text not null,
      name text not null,
      filter text not null,
      sort text,
      columns text,
      created_by text not null,
      shared int not null,
      created_at text not null,
      updated_at text not null,
      primary key (workspace_id, id)
    ) ${index}`,
    'create index segments_by_name on segments (workspace_id, name, id)',
    'create index segments_of_user on segments (workspace_id, created_by)',

    // `enrolled_until` is the position among the contacts while a job enrolls those of the segment; `followed_until` is the last event
    // that was checked for contacts who have come to match, or whose missing values have arrived.
    'alter table campaigns add column segment_id text',
    'alter table campaigns add column audience_mode text',
    `alter table campaigns add column enrolled_until ${int8}`,
    `alter table campaigns add column followed_until ${int8}`,
    // The last contact that was checked, while a job checks all blocked enrollments for values that have arrived.
    'alter table campaigns add column unblocked_after text',
    'create index campaigns_of_segment on campaigns (workspace_id, segment_id) where segment_id is not null',
    // `variables` is a JSON object; `reason` is why an enrollment is skipped or blocked, as JSON.
    'alter table enrollments add column variables text',
    'alter table enrollments add column reason text',
    // 1 if the audience of the campaign has enrolled the contact, which has to match it when it is claimed.
    'alter table enrollments add column by_audience int not null default 0',
    // Finds the jobs that wait for events.
    `create index jobs_following on jobs (workspace_id, due_at) where kind = 'campaign.following'`,

    // The names that only enrollments and runtimes provide: a JSON array.
    'alter table agents add column variables text',
    // The values in the instructions that a runtime got for a contact, by the hash of the text.
    `create table renderings (
      workspace_id ${int8} not null references workspaces (id),
      contact_id text not null,
      sha256 text not null,
      version_id text not null,
      used text not null,
      at text not null,
      primary key (workspace_id, contact_id, sha256)
    ) ${table}`,
    ...withoutSamples(engine, 'renderings', 'used'),
    ...withoutSamples(engine, 'enrollments', 'variables'),
    'create index renderings_by_time on renderings (workspace_id, at)',
    'alter table calls add column instructions_sha256 text',
  ];
};
