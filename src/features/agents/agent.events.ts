import type { Snapshot } from '../../records/change.ts';
import * as store from './agent.store.ts';
import type { DeployRow } from './deploy.store.ts';

/** The agent as create and update return it: the events of its versions and deploys complete it. */
export const agentSnapshot = (facts: Parameters<typeof store.agentOf>[0]): Snapshot => ({
  agent: facts.id,
  data: JSON.stringify(store.agentOf(facts)),
});

export const versionSnapshot = (version: store.VersionRow): Snapshot => ({
  agent: version.agent_id,
  data: store.versionJson(version),
});

/** Without the email and the name of the deployer, which the API shows only to some callers. */
export const deploySnapshot = (
  { agent_id, version_id, previous_version_id, deployed_at, deployed_by, note }: DeployRow,
  version_label: string,
): Snapshot => {
  const by = { deployed_at, deployed_by, note };
  const data = JSON.stringify({ agent_id, version_id, version_label, previous_version_id, ...by });
  return { subject: agent_id, agent: agent_id, data };
};
