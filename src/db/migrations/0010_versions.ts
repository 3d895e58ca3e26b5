import type { Migration } from './migration.ts';

/** The JSON of an agent, as GET returns it. */
export const versions: Migration = {
  name: "summaries of an agent's versions",
  statements: () => [
    `alter table agents add column versions text not null default ''`,
    `update agents set versions = coalesce((
      select string_agg('{"id":"' || v.id || '","version_label":"v' || v.number || '","deployment_status":"' || v.status
        || '","created_at":"' || v.created_at || '"}', ',' order by v.number desc)
      from agent_versions as v where v.workspace_id = agents.workspace_id and v.agent_id = agents.id), '')`,
  ],
};
