import { type Check, selecting } from '../../db/check.ts';

const tags = selecting(
  'tags in list order are those of the contacts',
  1,
  ({ eachText }) => `
    select 'contact ' || c.id || ' is not listed under one of its tags' as what from contacts as c, ${eachText('c.tags')}
    where not exists (
      select 1 from contact_tags as t where t.workspace_id = c.workspace_id and t.tag = each.value and t.seq = c.seq)
    union all
    select 'workspace ' || workspace_id || ' lists ' || coalesce(listed, 0) || ' places under tags, its contacts have '
      || coalesce(had, 0) || ' tags'
    from (select workspace_id, count(*) as listed from contact_tags group by 1) as beside
    full join (select c.workspace_id, count(*) as had from contacts as c, ${eachText('c.tags')} group by 1) as own
    using (workspace_id) where coalesce(listed, 0) <> coalesce(had, 0)`,
);

const numbers = selecting(
  'a number belongs to one contact of its workspace',
  1,
  () => `select 'contact ' || min(id) || ' shares its number with ' || max(id) as what from contacts
    where phone_identity is not null group by workspace_id, phone_identity having count(*) > 1`,
);

const versions = selecting(
  'versions are numbered without a gap',
  1,
  () => `select 'agent ' || a.id || ' has ' || count(v.id) || ' versions from ' || coalesce(min(v.number), 0) || ' to '
      || coalesce(max(v.number), 0) as what
    from agents as a left join agent_versions as v on v.workspace_id = a.workspace_id and v.agent_id = a.id
    group by a.workspace_id, a.id
    having count(v.id) = 0 or min(v.number) <> 1 or max(v.number) <> count(v.id)`,
);

const summaries = selecting(
  'the summaries of versions are those of the rows',
  10,
  () => `select 'agent ' || a.id as what from agents as a where a.versions <> (
      select string_agg('{"id":"' || v.id || '","version_label":"v' || v.number || '","deployment_status":"' || v.status
        || '","created_at":"' || v.created_at || '"}', ',' order by v.number desc)
      from agent_versions as v where v.workspace_id = a.workspace_id and v.agent_id = a.id)`,
);

const deployed = selecting(
  'at most one version of an agent is deployed',
  1,
  () => `select 'agent ' || agent_id || ' has ' || count(*) || ' deployed versions' as what from agent_versions
    where status = 'deployed' group by workspace_id, agent_id having count(*) > 1`,
);

const lastDeploy = selecting(
  'the deployed version is that of the last deploy, and deploys are numbered without a gap',
  2,
  () => `
    select 'agent ' || agent_id || ' has deployed what its deploys do not end with' as what from (
      select workspace_id, agent_id, version_id from deploys as d where number = (
        select max(number) from deploys as l where l.workspace_id = d.workspace_id and l.agent_id = d.agent_id)
    ) as last full join (
      select workspace_id, agent_id, id from agent_versions where status = 'deployed'
    ) as now using (workspace_id, agent_id) where coalesce(version_id, '') <> coalesce(now.id, '')
    union all
    select 'agent ' || agent_id || ' lacks a deploy' from deploys
    group by workspace_id, agent_id having min(number) <> 1 or max(number) <> count(*)`,
);

/** Tables whose records have a tag that is made from these times, or an order that follows them. */
const ORDERED = [
  { since: 1, table: 'contacts', earlier: 'created_at', later: 'updated_at' },
  { since: 1, table: 'contacts', earlier: 'first_contact_at', later: 'last_contact_at' },
  { since: 1, table: 'agents', earlier: 'created_at', later: 'updated_at' },
  { since: 2, table: 'channels', earlier: 'created_at', later: 'updated_at' },
  { since: 2, table: 'campaigns', earlier: 'created_at', later: 'updated_at' },
  { since: 2, table: 'calls', earlier: 'started_at', later: 'coalesce(ended_at, started_at)' },
] as const;
const MOMENT = '____-__-__T__:__:__.___Z';

const times = ORDERED.map(({ since, table, earlier, later }) =>
  selecting(
    `times of ${table} are in order: ${earlier} and ${later.replace(/coalesce\((\w+),.*/, '$1')}`,
    since,
    () => `select '${table}: ' || id as what from ${table}
      where ${later} < ${earlier} or ${earlier} not like '${MOMENT}' or ${later} not like '${MOMENT}'`,
  ),
);

/** What other records keep of a contact goes when the contact does. */
const forgotten = (table: string, since: number) =>
  selecting(
    `no row of ${table} names a contact that is gone`,
    since,
    () => `select 'a row of ${table} names ' || r.contact_id as what from ${table} as r
      where r.contact_id is not null and not exists (
        select 1 from contacts as c where c.workspace_id = r.workspace_id and c.id = r.contact_id)`,
  );

const hooks = selecting(
  'the directory of hooks leads to every channel and integration',
  2,
  () => `select 'the hook ' || id || ' leads to another workspace than its owner has, or to none' as what
    from (select workspace_id, id from channels union all select workspace_id, id from integrations) as owner
    full join (select workspace_id as leads_to, id from hooks) as directory using (id)
    where coalesce(workspace_id, -1) <> coalesce(leads_to, -1)`,
);

export const recordChecks: readonly Check[] = [
  tags,
  numbers,
  versions,
  summaries,
  deployed,
  lastDeploy,
  ...times,
  forgotten('calls', 2),
  forgotten('import_rows', 3),
  hooks,
];
