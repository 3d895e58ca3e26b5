import { type Check, sqlCheck } from '../../db/check.ts';
import { MAX_MEMBERS } from '../duplicates/duplicate.groups.ts';
import { identityChecks } from './identities.ts';

/** Tables whose ETags or order depend on these times. */
const ORDERED = [
  { table: 'contacts', earlier: 'created_at', later: 'updated_at' },
  { table: 'contacts', earlier: 'first_contact_at', later: 'last_contact_at' },
  { table: 'agents', earlier: 'created_at', later: 'updated_at' },
  { table: 'channels', earlier: 'created_at', later: 'updated_at' },
  { table: 'campaigns', earlier: 'created_at', later: 'updated_at' },
  { table: 'calls', earlier: 'started_at', later: 'coalesce(ended_at, started_at)' },
];
const TIMESTAMP_PATTERN = '____-__-__T__:__:__.___Z';

const times = ORDERED.map(({ table, earlier, later }) =>
  sqlCheck(
    `times of ${table} are in order: ${earlier} and ${later.replace(/coalesce\((\w+),.*/, '$1')}`,
    () => `select '${table}: ' || id as what from ${table}
      where ${later} < ${earlier} or ${earlier} not like '${TIMESTAMP_PATTERN}' or ${later} not like '${TIMESTAMP_PATTERN}'`,
  ),
);

/** A contact that was merged, and whose rows of a table follow it, or do not yet. */
const MERGED: Readonly<Record<string, string>> = {
  calls: 'and m.moving = 1',
  import_rows: '',
  duplicate_dismissals: '',
};
const mergedIn = (table: string, schema: number): string =>
  schema < 43 || MERGED[table] === undefined
    ? ''
    : `and not exists (select 1 from merged_contacts as m where m.workspace_id = r.workspace_id and m.contact_id = r.contact_id
        and m.survivor_id is not null ${MERGED[table]})`;

/** Deleting a contact also deletes references to it. */
const noRowsOfDeletedContacts = (table: string, since?: number) =>
  sqlCheck(
    `no row of ${table} refers to a deleted contact`,
    ({ schema }) => `select 'a row of ${table} refers to ' || r.contact_id as what from ${table} as r
      where r.contact_id is not null and not exists (
        select 1 from contacts as c where c.workspace_id = r.workspace_id and c.id = r.contact_id) ${mergedIn(table, schema)}`,
    since,
  );

export const recordChecks: readonly Check[] = [
  sqlCheck(
    'the tag index matches the tags of contacts',
    ({ eachText }) => `
    select 'contact ' || c.id || ' is missing from the index of one of its tags' as what from contacts as c, ${eachText('c.tags')}
    where not exists (
      select 1 from contact_tags as t where t.workspace_id = c.workspace_id and t.tag = each.value and t.seq = c.seq)
    union all
    select 'workspace ' || workspace_id || ' has ' || coalesce(indexed, 0) || ' entries in the tag index, but its contacts have '
      || coalesce(tagged, 0) || ' tags'
    from (select workspace_id, count(*) as indexed from contact_tags group by 1) as entries
    full join (select c.workspace_id, count(*) as tagged from contacts as c, ${eachText('c.tags')} group by 1) as own
    using (workspace_id) where coalesce(indexed, 0) <> coalesce(tagged, 0)`,
  ),
  sqlCheck(
    'the index of fields matches the values of contacts',
    ({ eachKey }) => `
    select 'the field ' || key || ' of workspace ' || workspace_id || ' has ' || coalesce(indexed, 0) || ' entries in its index, but '
      || coalesce(own, 0) || ' contacts have a value' as what
    from (
      select f.workspace_id, f.key, count(v.seq) as indexed from contact_fields as f
      left join contact_field_values as v on v.workspace_id = f.workspace_id and v.field = f.key where f.indexed = 1 group by 1, 2
    ) as entries
    left join (select c.workspace_id, each.key, count(*) as own from contacts as c, ${eachKey('c.fields')} group by 1, 2) as own
    using (workspace_id, key) where indexed <> coalesce(own, 0)`,
    38,
  ),
  sqlCheck(
    'each phone number belongs to one contact of its workspace',
    () => `select 'contact ' || min(id) || ' has the same number as ' || max(id) as what from contacts
    where phone_identity is not null group by workspace_id, phone_identity having count(*) > 1`,
  ),
  ...identityChecks,
  noRowsOfDeletedContacts('identities', 43),
  sqlCheck(
    'merged contacts are a part of one that exists, and no longer exist themselves',
    () => `select 'the merged contact ' || m.contact_id as what from merged_contacts as m
    where m.survivor_id is not null and (not exists (
        select 1 from contacts as c where c.workspace_id = m.workspace_id and c.id = m.survivor_id)
      or exists (select 1 from contacts as c where c.workspace_id = m.workspace_id and c.id = m.contact_id))
    union all
    select 'the merge ' || r.merge_id || ' of records' from merge_records as r where not exists (
      select 1 from merges as m where m.workspace_id = r.workspace_id and m.id = r.merge_id and m.status <> 'undone')`,
    43,
  ),
  sqlCheck(
    'agent versions are numbered without gaps',
    () => `select 'agent ' || a.id || ' has ' || count(v.id) || ' versions from ' || coalesce(min(v.number), 0) || ' to '
      || coalesce(max(v.number), 0) as what
    from agents as a left join agent_versions as v on v.workspace_id = a.workspace_id and v.agent_id = a.id
    group by a.workspace_id, a.id
    having count(v.id) = 0 or min(v.number) <> 1 or max(v.number) <> count(v.id)`,
  ),
  sqlCheck(
    'the version summaries of agents match their versions',
    () => `select 'agent ' || a.id as what from agents as a where a.versions <> (
      select string_agg('{"id":"' || v.id || '","version_label":"v' || v.number || '","deployment_status":"' || v.status
        || '","created_at":"' || v.created_at || '"}', ',' order by v.number desc)
      from agent_versions as v where v.workspace_id = a.workspace_id and v.agent_id = a.id)`,
  ),
  sqlCheck(
    'at most one version of each agent is deployed',
    () => `select 'agent ' || agent_id || ' has ' || count(*) || ' deployed versions' as what from agent_versions
    where status = 'deployed' group by workspace_id, agent_id having count(*) > 1`,
  ),
  sqlCheck(
    'the deployed version is that of the last deploy, and deploys are numbered without gaps',
    () => `
    select 'the deployed version of agent ' || agent_id || ' is not that of its last deploy' as what from (
      select workspace_id, agent_id, version_id from deploys as d where number = (
        select max(number) from deploys as l where l.workspace_id = d.workspace_id and l.agent_id = d.agent_id)
    ) as last full join (
      select workspace_id, agent_id, id from agent_versions where status = 'deployed'
    ) as now using (workspace_id, agent_id) where coalesce(version_id, '') <> coalesce(now.id, '')
    union all
    select 'a deploy of agent ' || agent_id || ' is missing' from deploys
    group by workspace_id, agent_id having min(number) <> 1 or max(number) <> count(*)`,
  ),
  ...times,
  noRowsOfDeletedContacts('calls'),
  noRowsOfDeletedContacts('duplicate_keys', 43),
  noRowsOfDeletedContacts('duplicate_dismissals', 43),
  sqlCheck(
    'groups of duplicates match the keys of contacts',
    () => `
    with counted as (select workspace_id, key, count(*) as count from duplicate_keys group by 1, 2)
    select 'the group ' || g.id || ' has ' || coalesce(k.count, 0) || ' contacts' as what from duplicate_groups as g
    left join counted as k on k.workspace_id = g.workspace_id and k.key = g.key where coalesce(k.count, 0) not between 2 and ${MAX_MEMBERS}
    union all
    select 'workspace ' || k.workspace_id || ' has no group of ' || k.count || ' contacts that have a key in common' from counted as k
    where k.count between 2 and ${MAX_MEMBERS} and not exists (
      select 1 from duplicate_groups as g where g.workspace_id = k.workspace_id and g.key = k.key)
    union all
    select 'the group ' || g.id || ' has the wrong dismissal' from duplicate_groups as g join counted as k
    on k.workspace_id = g.workspace_id and k.key = g.key where g.dismissed <> case when k.count * (k.count - 1) / 2 = (
      select count(*) from duplicate_keys as o join duplicate_dismissals as d
      on d.workspace_id = o.workspace_id and d.contact_id = o.contact_id
      join duplicate_keys as t on t.workspace_id = d.workspace_id and t.key = o.key and t.contact_id = d.other_id
      where o.workspace_id = g.workspace_id and o.key = g.key) then 1 else 0 end`,
    43,
  ),
  sqlCheck(
    'goals, tags and texts that lists find match those of the calls',
    ({
      eachText,
    }) => `select 'the goal ' || goal || ' of a call that does not have it' as what from call_goals as g where not exists (
      select 1 from calls as c where c.workspace_id = g.workspace_id and c.seq = g.seq and c.started_at = g.started_at
        and c.goals like '%"' || replace(ltrim(goal, '-'), '_', '\\_') || '":' || case when goal like '-%' then 'false' else 'true' end || '%'
        escape '\\')
    union all
    select 'the tag of a call that does not have it' from call_tags as t where not exists (
      select 1 from calls as c, ${eachText('c.tags')} where c.workspace_id = t.workspace_id and c.seq = t.seq
        and c.started_at = t.started_at and each.value = t.tag)
    union all
    select 'the text of a call without one' from call_texts as s where not exists (
      select 1 from calls as c where c.workspace_id = s.workspace_id and c.seq = s.seq and c.started_at = s.started_at
        and (s.text = '' or coalesce(c.summary, c.note) is not null) and (s.transcript = '' or exists (
          select 1 from transcripts as t where t.workspace_id = c.workspace_id and t.call_id = c.id)))
    union all
    select 'call ' || c.id || ' is missing in its tags' from calls as c, ${eachText('c.tags')} where not exists (
      select 1 from call_tags as t where t.workspace_id = c.workspace_id and t.tag = each.value and t.started_at = c.started_at
        and t.seq = c.seq)
    union all
    select 'call ' || id || ' is missing in its goals or texts' from calls as c
    where (goals like '%:%' and not exists (select 1 from call_goals as g
        where g.workspace_id = c.workspace_id and g.started_at = c.started_at and g.seq = c.seq))
      or ((coalesce(summary, note) is not null or exists (
          select 1 from transcripts as t where t.workspace_id = c.workspace_id and t.call_id = c.id))
        and not exists (select 1 from call_texts as s
          where s.workspace_id = c.workspace_id and s.started_at = c.started_at and s.seq = c.seq))`,
    42,
  ),
  noRowsOfDeletedContacts('import_rows'),
  sqlCheck(
    'calls of deleted contacts have nothing that was said',
    () => `select 'the call ' || id as what from calls as c where number is null and identity_id is null
      and (coalesce(summary, text, data, recording_url, note, tags) is not null or exists (
        select 1 from transcripts as t where t.workspace_id = c.workspace_id and t.call_id = c.id))`,
    43,
  ),
  sqlCheck(
    'every channel, integration and webhook has a hook in its own workspace',
    ({
      schema,
    }) => `select 'the hook ' || id || ' belongs to another workspace, or its owner is missing' as what
    from (
      select workspace_id, id from channels union all select workspace_id, id from integrations
      ${schema >= 37 ? 'union all select workspace_id, id from webhook_endpoints' : ''}
    ) as owner
    full join (select workspace_id as hook_workspace, id from hooks) as directory using (id)
    where coalesce(workspace_id, -1) <> coalesce(hook_workspace, -1)`,
  ),
  /** Programs before 1.0.0 change only the status, so any status can go with a former lease. */
  sqlCheck(
    'leases and retry times of enrollments are complete',
    () => `select 'the enrollment of ' || contact_id || ' in ' || campaign_id as what from enrollments
    where attempts < 0 or leased not in (0, 1) or (available_at <> '' and available_at not like '${TIMESTAMP_PATTERN}')
      or (leased = 1 and (claim_id is null or available_at = '' or attempts = 0))`,
    37,
  ),
  sqlCheck(
    'counts and times of bulk jobs are complete',
    () => `select 'the bulk job ' || id as what from bulk_jobs
    where processed <> changed + unchanged + missing + blocked or total < processed
      or status not in ('queued', 'running', 'done', 'canceled', 'failed')
      or (status in ('done', 'canceled', 'failed')) <> (finished_at is not null)
      or (status = 'failed') <> (error is not null)`,
    37,
  ),
  /** Readers of the feed rely on it. Events without a position have negative numbers. */
  sqlCheck(
    'positions of events have no gaps',
    () => `select 'workspace ' || workspace_id || ' has ' || count(*) || ' events from position ' || min(seq) || ' to '
      || max(seq) as what
    from events where seq > 0 group by workspace_id having max(seq) - min(seq) + 1 <> count(*)`,
    37,
  ),
];
