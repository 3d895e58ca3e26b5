import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { END_OF_TIME, timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict, existing } from '../../lib/errors.ts';
import { withMember } from '../../lib/json.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { listSome } from '../../lib/text.ts';
import { change, type Snapshot } from '../../records/change.ts';
import { lockFields } from '../fields/field.store.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { DeployBody } from './agent.schema.ts';
import { lockAgent, parseAgentId, writeAgent } from './agent.service.ts';
import * as agents from './agent.store.ts';
import * as store from './deploy.store.ts';
import { suggestionFor, unknownVariablesIn } from './placeholders.ts';
import { knownNames } from './variable.service.ts';
import { findVersion } from './version.store.ts';

export interface VersionKey {
  agent: string;
  /** Its id or its label, such as `v3`. */
  version: string;
}

const requireVersion = async (db: Db, { workspace }: Principal, { agent, version }: VersionKey) =>
  existing(
    'version of this agent',
    await findVersion(db, workspace, { agent: parseAgentId(agent), version }),
  );

/** The parsed id of an agent; throws if it does not exist or is deleted. */
export const requireAgentId = async (db: Db, { workspace }: Principal, id: string): Promise<string> => {
  const found = await db.get(agents.findExistingAgent, { workspace, id: parseAgentId(id) });
  return existing('agent', found).id;
};

/** A version of an agent that is not deleted. */
export const getVersion = async (db: Db, principal: Principal, key: VersionKey): Promise<agents.Version> => {
  await requireAgentId(db, principal, key.agent);
  return requireVersion(db, principal, key);
};

/** `changed` is false when the version was already deployed and nothing changed; the deploy is then the earlier one. */
export type Deploy = Omit<store.LastDeploy, 'number'> & { changed: boolean };

/** What a caller may see of a deploy: emails of users are shown to other users, and to keys that manage users. An answer that was
 *  stored for an idempotency key can be that of another key, which has other scopes. */
export const visibleTo =
  (principal: Principal) =>
  <D extends { deployed_by_email: string | null }>(deploy: D): D =>
    isKeyWithout(principal, 'admin') ? { ...deploy, deployed_by_email: null } : deploy;

const shown = ({ number: _, ...deploy }: store.LastDeploy, changed: boolean): Deploy => ({
  ...deploy,
  changed,
});

const MAX_LISTED = 10;

/** Unknown variables are not replaced, so customers would hear them. The fields are locked. */
const assertKnownVariables = async (
  db: Db,
  workspace: number,
  { agent_id: agent, instructions, version_label: label }: agents.Version,
): Promise<void> => {
  const names = await knownNames(db, { workspace, agent });
  const unknown = unknownVariablesIn(instructions, names);
  if (unknown.length === 0) return;
  const list = listSome(unknown.map(({ placeholder }) => placeholder));
  throw conflict(
    `The instructions of ${label} use unknown variables: ${list}. Correct them in a new version, declare them as variables of the agent, or send confirm_unknown_variables: true to deploy ${label} as it is.`,
    [
      {
        field: 'confirm_unknown_variables',
        message: 'must be true to deploy instructions with unknown variables.',
      },
      ...unknown.slice(0, MAX_LISTED).map(({ placeholder, name }) => {
        const suggestion = suggestionFor(name, names);
        const hint = suggestion ? ` Did you mean {{${suggestion}}}?` : '';
        return { field: 'instructions', message: `${placeholder} is not a variable.${hint}` };
      }),
    ],
  );
};

interface DeployInput extends VersionKey, DeployBody {
  /** The time of the deploy that the caller expects to replace, null for none. If another deploy came in between, this one
   *  fails. */
  replaces?: string | null;
}

/** Without the email and the name of the deployer, which the API shows only to some callers. */
const snapshotOf = (
  { agent_id, version_id, previous_version_id, deployed_at, deployed_by, note }: store.DeployRow,
  version_label: string,
): Snapshot => {
  const by = { deployed_at, deployed_by, note };
  const data = JSON.stringify({ agent_id, version_id, version_label, previous_version_id, ...by });
  return { subject: agent_id, agent: agent_id, data };
};

const deployedSince = () =>
  conflict(
    'Another version was deployed since this deploy was planned. Check what it would change now, and plan it again.',
  );

/** Makes a version of an agent the active one. Deploying an archived version is a rollback. The agent's row is locked first,
 *  so that concurrent deploys run one after the other. Show the result with `visibleTo`. */
export const deployVersion = write(
  'deployVersion',
  async (
    db,
    principal: Principal,
    { note = null, confirm_unknown_variables, replaces, ...key }: DeployInput,
  ): Promise<Deploy> => {
    const { workspace, actor } = principal;
    const agent = await lockAgent(db, principal, key.agent);
    const version = await requireVersion(db, principal, key);
    const last = await db.get(store.findLastDeploy, { workspace, agent: agent.id });
    const previous = await db.get(agents.findDeployed, { workspace, id: agent.id });
    if (last && previous?.id === version.id) return shown(last, false);
    if (replaces !== undefined && replaces !== (last?.deployed_at ?? null)) throw deployedSince();
    // A field that the version uses must not be archived meanwhile.
    await lockFields(db, workspace);
    if (!confirm_unknown_variables) await assertKnownVariables(db, workspace, version);
    const ofAgent = { workspace_id: workspace, agent_id: agent.id };
    if (previous) await db.run(store.setStatus, { ...ofAgent, id: previous.id, status: 'archived' });
    await db.run(store.setStatus, { ...ofAgent, id: version.id, status: 'deployed' });
    await writeAgent(db, agent);
    await db.run(agents.updateVersionsJson, { workspace, id: agent.id });
    const row: store.DeployRow = {
      ...ofAgent,
      number: (last?.number ?? 0) + 1,
      version_id: version.id,
      previous_version_id: previous?.id ?? null,
      deployed_at: last ? timestampAfter(last.deployed_at) : timestamp(),
      deployed_by: actor,
      note,
    };
    await db.run(store.insertDeploy, row);
    const event = snapshotOf(row, version.version_label);
    change(db, principal, { action: 'agent.deployed', subject: version.id, parent: agent.id, event });
    return shown(
      (await db.get(store.findLastDeploy, { workspace, agent: agent.id })) as store.LastDeploy,
      true,
    );
  },
);

const nothingToRollBack = (reason: string) => conflict(`${reason} To change the active version, deploy one.`);

/** Deploys the version that was deployed before the current one; `from` must be deployed now. Its variables are checked again: names
 *  that only it used may have been removed since. */
export const rollBack = write(
  'rollBack',
  async (
    db,
    principal: Principal,
    { agent: id, from, ...input }: Omit<DeployInput, 'version'> & { from?: string | undefined },
  ): Promise<Deploy> => {
    const agent = (await lockAgent(db, principal, id)).id;
    const { workspace } = principal;
    const deployed = await db.get(agents.findDeployed, { workspace, id: agent });
    if (!deployed) throw nothingToRollBack('This agent has no deployed version.');
    const label = agents.labelOf(deployed.number);
    if (
      from !== undefined &&
      (await requireVersion(db, principal, { agent, version: from })).id !== deployed.id
    )
      throw conflict(`The deployed version is ${label}, not the one in \`from\`. Nothing was changed.`);
    const version = (await db.get(store.findLastDeploy, { workspace, agent }))?.previous_version_id;
    if (!version) throw nothingToRollBack(`${label} is the first version of this agent that was deployed.`);
    return deployVersion(db, principal, { ...input, agent, version });
  },
);

/** Later than every deploy, even if the clock was set back. */
export const NOW = END_OF_TIME;

/** The version that was active at a time, with its deploy, as JSON; null before the first one. */
export const activeVersionAt = read(
  'activeVersionAt',
  async (
    db,
    principal: Principal,
    { agent, at }: { agent: string; at: string },
  ): Promise<{ json: string } | null> => {
    const id = await requireAgentId(db, principal, agent);
    const found = await db.get(store.findActiveAt, { workspace: principal.workspace, agent: id, at });
    if (!found) return null;
    const deploy = pickColumns(visibleTo(principal)(found), store.DEPLOYED);
    const { instructions, version_note, config_sha256, config } = found;
    const hashes = { version_note, config_sha256 };
    const head = JSON.stringify({ ...agents.versionSummary(found), instructions, ...deploy, ...hashes });
    return { json: withMember(head, 'config', config) };
  },
);

/** The deployed version; undefined if there is none, or if the agent is deleted. */
export const activeVersion = (
  db: Db,
  { workspace }: Principal,
  { agent }: { agent: string },
): MaybePromise<agents.VersionText | undefined> => db.get(agents.findActiveVersion, { workspace, id: agent });

/** Like `lockAgent`, but returns undefined if the agent does not exist. */
export const tryLockAgent = async (
  db: Db,
  { workspace }: Principal,
  { agent }: { agent: string },
): Promise<string | undefined> =>
  (await db.get(agents.selectAgentForUpdate, { workspace, id: parseAgentId(agent) }))?.id;
