import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, notFound } from '../../lib/errors.ts';
import { parseUuid } from '../../lib/ids.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { parseAgentId } from './agent.service.ts';
import * as agents from './agent.store.ts';
import * as store from './deploy.store.ts';
import { suggestionFor, unknownVariablesIn } from './placeholders.ts';

export interface VersionKey {
  agent: string;
  version: string;
}

const parseVersionId = (id: string): string => {
  const parsed = parseUuid(id);
  if (!parsed) throw notFound('version');
  return parsed;
};

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

const lockAgent = async (db: Db, { workspace }: Principal, id: string) => {
  const found = await db.get(agents.selectAgentForUpdate, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  return found;
};

/** The parsed id of an agent; throws if it does not exist or is deleted. */
export const requireAgentId = async (db: Db, { workspace }: Principal, id: string): Promise<string> => {
  const found = await db.get(agents.findExistingAgent, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  return found.id;
};

export const getVersion = read(
  'getVersion',
  async (db: Db, principal: Principal, key: VersionKey): Promise<Version> => {
    await requireAgentId(db, principal, key.agent);
    return versionOf(await requireVersion(db, principal, key));
  },
);

export interface Deploy {
  version_id: string;
  version_label: string;
  previous_version_id: string | null;
  deployed_at: string;
  deployed_by: string;
  deployed_by_email: string | null;
  note: string | null;
  /** False when the version was already deployed and nothing changed; the other fields then describe that deploy. */
  changed: boolean;
}

const MAX_LISTED = 10;

/** Unknown variables are not replaced, so customers would hear them. */
const assertKnownVariables = ({ instructions }: agents.VersionRow, label: string): void => {
  const unknown = unknownVariablesIn(instructions);
  if (unknown.length === 0) return;
  const named = unknown.slice(0, MAX_LISTED).map(({ placeholder }) => placeholder);
  const list = `${named.join(', ')}${unknown.length > MAX_LISTED ? `, and ${unknown.length - MAX_LISTED} more` : ''}`;
  throw new ApiError(
    'CONFLICT',
    `The instructions of ${label} use unknown variables: ${list}. Correct them in a new version, or send confirm_unknown_variables: true to deploy ${label} as it is.`,
    [
      {
        field: 'confirm_unknown_variables',
        message: 'must be true to deploy instructions with unknown variables.',
      },
      ...unknown.slice(0, MAX_LISTED).map(({ placeholder, name }) => {
        const suggestion = suggestionFor(name);
        const hint = suggestion ? ` Did you mean {{${suggestion}}}?` : '';
        return { field: 'instructions', message: `${placeholder} is not a contact field.${hint}` };
      }),
    ],
  );
};

/** Makes a version of an agent the active one. Deploying an archived version is a rollback. The agent's row is locked first,
 *  so that concurrent deploys run one after the other. */
export const deployVersion = write(
  'deployVersion',
  async (
    db: Db,
    principal: Principal,
    {
      note,
      confirmUnknownVariables = false,
      ...key
    }: VersionKey & { note: string | null; confirmUnknownVariables?: boolean },
  ): Promise<Deploy> => {
    const { workspace, actor } = principal;
    const agent = await lockAgent(db, principal, key.agent);
    const version = await requireVersion(db, principal, key);
    const last = await db.get(store.findLastDeploy, { workspace, agent: agent.id });
    const previous = await db.get(agents.findDeployed, { workspace, id: agent.id });
    const version_label = agents.labelOf(version.number);
    if (previous?.id === version.id) {
      const { previous_version_id = null, deployed_at = agent.updated_at, deployed_by = actor } = last ?? {};
      const same = { version_id: version.id, version_label, previous_version_id, deployed_at, deployed_by };
      const { note = null, deployed_by_email = null } = last ?? {};
      return { ...same, deployed_by_email, note, changed: false };
    }
    if (!confirmUnknownVariables) assertKnownVariables(version, version_label);
    const deployed_at = last ? timestampAfter(last.deployed_at) : timestamp();
    await db.run(store.archiveDeployed, { workspace, agent: agent.id });
    await db.run(store.markDeployed, { workspace, agent: agent.id, version: version.id });
    const facts = { ...agent, updated_at: timestampAfter(agent.updated_at) };
    await db.run(agents.updateAgentRow, agents.rowOf(facts, version));
    await db.run(agents.updateVersionsJson, { workspace, id: agent.id });
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
    recordChange(db, principal, { action: 'version.deployed', subject: version.id, parent: agent.id });
    const now = await db.get(store.findLastDeploy, { workspace, agent: agent.id });
    return { ...made, version_label, deployed_by_email: now?.deployed_by_email ?? null, changed: true };
  },
);

export type ActiveVersion = Version &
  Pick<Deploy, 'deployed_at' | 'deployed_by' | 'deployed_by_email' | 'note'>;

/** The version that was active at a time; null before the first deploy. */
export const activeVersionAt = read(
  'activeVersionAt',
  async (
    db: Db,
    principal: Principal,
    { agent, at }: { agent: string; at: string },
  ): Promise<ActiveVersion | null> => {
    const id = await requireAgentId(db, principal, agent);
    const found = await db.get(store.findActiveAt, { workspace: principal.workspace, agent: id, at });
    if (!found) return null;
    const { deployed_at, deployed_by, deployed_by_email, note } = found;
    return { ...versionOf(found), deployed_at, deployed_by, deployed_by_email, note };
  },
);

/** The id of the version that was active at a time; undefined if none was, or if the agent is deleted. */
export const activeIdAt = async (
  db: Db,
  { workspace }: Principal,
  { agent, at }: { agent: string; at: string },
): Promise<string | undefined> =>
  (await db.get(agents.findExistingAgent, { workspace, id: agent })) &&
  (await db.get(store.findActiveAt, { workspace, agent, at }))?.id;

/** The deployed version; undefined if there is none, or if the agent is deleted. */
export const activeVersion = (
  db: Db,
  { workspace }: Principal,
  { agent }: { agent: string },
): MaybePromise<{ id: string; version_label: string; instructions: string } | undefined> =>
  chain(
    db.get(agents.findActiveVersion, { workspace, id: agent }),
    (found) =>
      found && {
        id: found.id,
        version_label: agents.labelOf(found.number),
        instructions: found.instructions,
      },
  );

/** Locks an agent, so that it is not deleted until the transaction ends; throws if it does not exist. */
export const lockExistingAgent = async (
  db: Db,
  principal: Principal,
  { agent }: { agent: string },
): Promise<string> => (await lockAgent(db, principal, agent)).id;

/** Like `lockExistingAgent`, but returns undefined if the agent does not exist. */
export const tryLockAgent = async (
  db: Db,
  { workspace }: Principal,
  { agent }: { agent: string },
): Promise<string | undefined> =>
  (await db.get(agents.selectAgentForUpdate, { workspace, id: parseAgentId(agent) }))?.id;
