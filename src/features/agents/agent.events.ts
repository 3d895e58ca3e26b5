import type { Db } from '../../db/db.ts';
import { recordEvent } from '../events/event.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './agent.store.ts';
import type { DeployRow } from './deploy.store.ts';

type AgentFacts = Parameters<typeof store.agentOf>[0];

/** The snapshot is the agent as create and update return it: the events of its versions and deploys complete it. */
export const recordAgentWritten = (
  db: Db,
  principal: Principal,
  facts: AgentFacts,
  changed?: readonly string[],
): void => {
  const data = JSON.stringify(store.agentOf(facts));
  const about = { subject: facts.id, agent: facts.id };
  if (changed) recordEvent(db, principal, { type: 'agent.updated', ...about, changed, data });
  else recordEvent(db, principal, { type: 'agent.created', ...about, data });
};

export const recordAgentDeleted = (db: Db, principal: Principal, id: string): void =>
  recordEvent(db, principal, { type: 'agent.deleted', subject: id, agent: id });

export const recordVersionCreated = (db: Db, principal: Principal, version: store.VersionRow): void => {
  const { id, agent_id } = version;
  const data = JSON.stringify({ agent_id, ...store.versionOf(version) });
  recordEvent(db, principal, { type: 'version.created', subject: id, agent: agent_id, data });
};

/** Without the email and the name of the deployer, which the API shows only to some callers. */
export const recordDeployed = (
  db: Db,
  principal: Principal,
  { agent_id, version_id, previous_version_id, deployed_at, deployed_by, note }: DeployRow,
  version_label: string,
): void => {
  const by = { deployed_at, deployed_by, note };
  const data = JSON.stringify({ agent_id, version_id, version_label, previous_version_id, ...by });
  recordEvent(db, principal, { type: 'agent.deployed', subject: agent_id, agent: agent_id, data });
};
