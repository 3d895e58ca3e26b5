import { timestamp, timestampAfter } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { parseUuid } from '../kernel/ids.ts';
import { after, type Pending } from '../kernel/pending.ts';
import type { Db } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { parseAgentId } from './agent.service.ts';
import * as agents from './agent.store.ts';
import * as store from './deploy.store.ts';

export interface VersionKey {
  agent: string;
  version: string;
}

const parseVersionId = (id: string): string => {
  const parsed = parseUuid(id);
  if (!parsed) throw notFound('version');
  return parsed;
};

/** A version with its text. */
export interface Version {
  id: string;
  version_label: string;
  deployment_status: string;
  created_at: string;
  instructions: string;
}

const versionOf = ({ id, number, status, created_at, instructions }: agents.VersionRow): Version => ({
  id,
  version_label: agents.labelOf(number),
  deployment_status: status,
  created_at,
  instructions,
});

const requireVersion = async (db: Db, { workspace }: Principal, key: VersionKey) => {
  const found = await db.get(store.findVersion, {
    workspace,
    agent: parseAgentId(key.agent),
    version: parseVersionId(key.version),
  });
  if (!found) throw notFound('version of this agent');
  return found;
};

/** The agent, locked for a change. */
const takeAgent = async (db: Db, { workspace }: Principal, id: string) => {
  const found = await db.get(agents.takeAgent, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  return found;
};

/** The agent's id, once it is certain that it exists and is not deleted. */
const liveAgent = async (db: Db, { workspace }: Principal, id: string): Promise<string> => {
  const found = await db.get(agents.findLive, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  return found.id;
};

export const getVersion = async (db: Db, principal: Principal, key: VersionKey): Promise<Version> => {
  await liveAgent(db, principal, key.agent);
  return versionOf(await requireVersion(db, principal, key));
};

export interface Deploy {
  version_id: string;
  version_label: string;
  previous_version_id: string | null;
  deployed_at: string;
  deployed_by: string;
  note: string | null;
  /** False when the version was deployed already, and nothing was done; the rest then tells of that deploy. */
  changed: boolean;
}

/** Makes one version of an agent the active one. A draft goes live; an archived one is a roll-back. The agent's row is
 *  locked first, so that two deploys at once come one after the other. */
export const deployVersion = async (
  db: Db,
  principal: Principal,
  { note, ...key }: VersionKey & { note: string | null },
): Promise<Deploy> => {
  const { workspace, actor } = principal;
  const agent = await takeAgent(db, principal, key.agent);
  const version = await requireVersion(db, principal, key);
  const last = await db.get(store.findLastDeploy, { workspace, agent: agent.id });
  const previous = await db.get(agents.findDeployed, { workspace, id: agent.id });
  const version_label = agents.labelOf(version.number);
  if (previous?.id === version.id) {
    const { previous_version_id = null, deployed_at = agent.updated_at, deployed_by = actor } = last ?? {};
    const same = { version_id: version.id, version_label, previous_version_id, deployed_at, deployed_by };
    return { ...same, note: last?.note ?? null, changed: false };
  }
  const deployed_at = last ? timestampAfter(last.deployed_at) : timestamp();
  await db.run(store.archiveDeployed, { workspace, agent: agent.id });
  await db.run(store.markDeployed, { workspace, agent: agent.id, version: version.id });
  const facts = { ...agent, updated_at: timestampAfter(agent.updated_at) };
  await db.run(agents.updateAgentRow, agents.rowOf(facts, version));
  const made = {
    version_id: version.id,
    previous_version_id: previous?.id ?? null,
    deployed_at,
    deployed_by: actor,
    note,
  };
  await db.run(store.insertDeploy, {
    workspace_id: workspace,
    agent_id: agent.id,
    number: (last?.number ?? 0) + 1,
    ...made,
  });
  return { ...made, version_label, changed: true };
};

export const listDeploys = async (db: Db, principal: Principal, input: { agent: string }) => {
  const agent = await liveAgent(db, principal, input.agent);
  const rows = await db.all(store.listDeployRows, { workspace: principal.workspace, agent });
  return rows.map((row) => ({
    version_id: row.version_id,
    version_label: agents.labelOf(row.version_number),
    previous_version_id: row.previous_version_id,
    previous_version_label: row.previous_number === null ? null : agents.labelOf(row.previous_number),
    deployed_at: row.deployed_at,
    deployed_by: row.deployed_by,
    note: row.note,
  }));
};

/** The version that was active for an agent at a moment; null before its first deploy. */
export const activeVersionAt = async (
  db: Db,
  principal: Principal,
  { agent, at }: { agent: string; at: string },
): Promise<(Version & { deployed_at: string }) | null> => {
  const id = await liveAgent(db, principal, agent);
  const found = await db.get(store.findActiveAt, { workspace: principal.workspace, agent: id, at });
  return found ? { ...versionOf(found), deployed_at: found.deployed_at } : null;
};

/** The id of the version that was active for an agent at a moment; undefined when none was, or when the agent is
 *  deleted. */
export const activeIdAt = async (
  db: Db,
  { workspace }: Principal,
  { agent, at }: { agent: string; at: string },
): Promise<string | undefined> =>
  (await db.get(agents.findLive, { workspace, id: agent })) &&
  (await db.get(store.findActiveAt, { workspace, agent, at }))?.id;

/** What is active for an agent now; undefined when nothing is, or when the agent is deleted. */
export const activeVersion = (
  db: Db,
  { workspace }: Principal,
  { agent }: { agent: string },
): Pending<{ id: string; version_label: string; instructions: string } | undefined> =>
  after(
    db.get(agents.findActive, { workspace, id: agent }),
    (found) =>
      found && {
        id: found.id,
        version_label: agents.labelOf(found.number),
        instructions: found.instructions,
      },
  );

/** Makes sure that an agent exists and is not deleted, and keeps it so until the transaction ends. */
export const holdAgent = async (
  db: Db,
  principal: Principal,
  { agent }: { agent: string },
): Promise<string> => (await takeAgent(db, principal, agent)).id;

export const recentDeploys = async (db: Db, { workspace }: Principal) =>
  (await db.all(store.listRecent, { workspace })).map((row) => ({
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    version_label: agents.labelOf(row.version_number),
    deployed_at: row.deployed_at,
    deployed_by: row.deployed_by,
    note: row.note,
  }));
