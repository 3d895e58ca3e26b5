import type { TestDatabase } from './engines.ts';

/** Marks a version of an agent as deployed and the one before it as archived, straight in the database. */
export const deployVersion = async ({ query }: TestDatabase, agent: string, number: number) => {
  const archive = `update agent_versions set status = 'archived' where agent_id = ? and status = 'deployed'`;
  await query(archive, agent);
  await query(
    `update agent_versions set status = 'deployed' where agent_id = ? and number = ?`,
    agent,
    number,
  );
  const [version] = await query(
    'select id from agent_versions where agent_id = ? and number = ?',
    agent,
    number,
  );
  const [row] = await query('select wire from agents where id = ?', agent);
  const deployed_version = { id: version?.id, version_label: `v${number}` };
  const wire = JSON.stringify({ ...JSON.parse(String(row?.wire)), deployed_version });
  await query('update agents set wire = ? where id = ?', wire, agent);
  await query(
    `update agents set versions = (
      select string_agg('{"id":"' || id || '","version_label":"v' || number || '","deployment_status":"' || status
        || '","created_at":"' || created_at || '"}', ',' order by number desc)
      from agent_versions where agent_id = agents.id) where id = ?`,
    agent,
  );
  return String(version?.id);
};
