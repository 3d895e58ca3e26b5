import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { cascade } from '../../lib/cascade.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { existing, invalidField } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag } from '../../lib/etag.ts';
import { newUuid, parseUuid } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, pageRequestOf } from '../../lib/page.ts';
import { change, changedFields, type Snapshot } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { AgentCreate, AgentDuplicate, AgentQuery, AgentUpdate } from './agent.schema.ts';
import * as store from './agent.store.ts';
import { findVersion } from './version.store.ts';

const LIST = 'agents';

/** Runs after an agent was deleted, so that other features stop using it. */
export const agentDeletion = cascade<[Db, Principal, { id: string }]>();

export const parseAgentId = (id: string): string => {
  const parsed = parseUuid(id);
  if (!parsed) {
    throw invalidField('id', 'must be a UUID, for example 01890a5d-ac96-774b-bcce-b302099a8057.');
  }
  return parsed;
};

/** The agent in events, as create and update return it: the events of its versions and deploys complete it. */
const agentSnapshot = (facts: Parameters<typeof store.agentOf>[0]): Snapshot => ({
  agent: facts.id,
  data: JSON.stringify(store.agentOf(facts)),
});

/** Every update and deploy increases `updated_at`, so the ETag does not need the versions. */
const agentTag = ({ updated_at }: { updated_at: string }): string => `"${updated_at}"`;

/** The agent with its deployed version and the summaries of all versions, as JSON. */
export const getAgent = read(
  'getAgent',
  (db, { workspace }: Principal, input: { id: string }): MaybePromise<JsonWithEtag> => {
    const id = parseAgentId(input.id);
    return chain(db.get(store.findAgent, { workspace, id }), (found) => {
      const { deployed_id, deployed_number, instructions, versions, ...facts } = existing('agent', found);
      const deployed_version = deployed_number
        ? { id: deployed_id, version_label: store.labelOf(deployed_number), instructions }
        : null;
      const head = JSON.stringify({
        ...store.agentOf({ ...facts, workspace_id: workspace, id }),
        deployed_version,
      });
      return { json: withMember(head, 'versions', `[${versions}]`), etag: agentTag(facts) };
    });
  },
  { cacheable: true },
);

/** One page of the agents that are not deleted, newest first. */
export const listAgents = read(
  'listAgents',
  (db, { workspace }: Principal, query: AgentQuery): MaybePromise<Page> =>
    chain(
      db.get(store.listAgentRows, { workspace, list: LIST, ...pageRequestOf(query) }),
      (found) => found as Page,
    ),
  { cacheable: true, isLong: isDeepPage },
);

/** What another agent or version can be copied from. `basedOn` is the id of the version. */
type Copied = Partial<Omit<NewDraft, 'agent' | 'instructions' | 'at'> & store.Declared>;

export const createAgent = write(
  'createAgent',
  async (
    db,
    principal: Principal,
    {
      name,
      description = null,
      instructions,
      variables = null,
      config_schema = null,
      basedOn = null,
      ...bundle
    }: AgentCreate & Copied,
  ): Promise<JsonWithEtag & { id: string }> => {
    const { workspace: workspace_id } = principal;
    const id = newUuid();
    const now = timestamp();
    const facts = { workspace_id, id, name, description, created_at: now, updated_at: now };
    await db.run(store.insertAgent, store.rowOf({ ...facts, variables, config_schema }, undefined));
    const event = agentSnapshot(facts);
    change(db, principal, { action: 'agent.created', subject: id, event, counters: { after: [LIST] } });
    await addDraft(db, principal, { ...bundle, agent: id, instructions, basedOn, at: now });
    return { id, json: JSON.stringify(store.agentOf(facts)), etag: agentTag(facts) };
  },
);

const MAX_NAME = 100;

const copyName = (name: string): string => [...`Copy of ${name}`].slice(0, MAX_NAME).join('');

/** Creates an agent with a version of another one as its first draft, and with what it declares. Nothing is deployed or connected. */
export const duplicateAgent = write(
  'duplicateAgent',
  async (db, principal: Principal, { id, name, version }: AgentDuplicate & { id: string }) => {
    const { workspace } = principal;
    const agent = parseAgentId(id);
    const source = existing('agent', await db.get(store.findAgent, { workspace, id: agent }));
    const named = { agent, version: version ?? source.deployed_id ?? undefined };
    const text = existing('version of this agent', await findVersion(db, workspace, named));
    const declared = existing('agent', await db.get(store.findDeclared, { workspace, id: agent }));
    const { instructions, config, config_sha256, id: basedOn } = text;
    const copy = { name: name ?? copyName(source.name), description: source.description, instructions };
    return createAgent(db, principal, { ...copy, ...declared, config, config_sha256, basedOn });
  },
);

/** The version that a request names as the base of a new one; the newest if it names none. */
export const baseOf = async (
  db: Db,
  { workspace }: Principal,
  key: { agent: string; version?: string | undefined },
) => {
  const found = await findVersion(db, workspace, key);
  if (found) return found;
  throw invalidField('based_on', 'must be a version of this agent, by its id or its label, such as v3.');
};

interface NewDraft extends Partial<Pick<store.Version, 'config' | 'config_sha256' | 'note'>> {
  agent: string;
  instructions: string;
  /** The id of the version that it was edited or copied from. */
  basedOn: string | null;
  at: string;
}

export const addDraft = async (
  db: Db,
  principal: Principal,
  { agent, instructions, basedOn, at, ...bundle }: NewDraft,
): Promise<Omit<store.Version, 'version_label'>> => {
  const id = newUuid();
  const draft = {
    workspace_id: principal.workspace,
    agent_id: agent,
    id,
    instructions,
    created_at: at,
    created_by: principal.actor,
    based_on: basedOn,
    config: store.NO_CONFIG,
    config_sha256: store.NO_CONFIG_SHA256,
    note: null,
    ...bundle,
  };
  const { number } = (await db.get(store.insertDraft, draft)) as { number: number };
  const row = { ...draft, number, status: 'draft' as const };
  const event = { agent, data: store.versionJson(row) };
  change(db, principal, { action: 'version.created', subject: id, parent: agent, event });
  await db.run(store.updateVersionsJson, { workspace: principal.workspace, id: agent });
  return row;
};

/** Locks the agent until the transaction ends, and checks the precondition of the request. */
export const lockAgent = async (db: Db, { workspace }: Principal, id: string, match?: IfMatch) => {
  const found = existing(
    'agent',
    await db.get(store.selectAgentForUpdate, { workspace, id: parseAgentId(id) }),
  );
  assertIfMatch('agent', agentTag(found), match);
  return found;
};

/** Writes a locked agent with what has changed, and with its deployed version in its list form. */
export const writeAgent = async (
  db: Db,
  before: store.LockedAgent,
  changes: Partial<store.LockedAgent> = {},
) => {
  const agent = { ...before, ...changes, updated_at: timestampAfter(before.updated_at) };
  const deployed = await db.get(store.findDeployed, { workspace: agent.workspace_id, id: agent.id });
  await db.run(store.updateAgentRow, store.rowOf(agent, deployed));
  return agent;
};

/** What the audit log shows of an agent. */
const settingsOf = ({ name, description, variables }: store.LockedAgent) => ({
  name,
  description,
  variables: JSON.parse(variables ?? '[]') as unknown,
});

/** Writes a locked agent and records what has changed: the names of its fields, and whether it also gets a new version. */
export const saveAgent = async (
  db: Db,
  principal: Principal,
  before: store.LockedAgent,
  changes: Partial<store.LockedAgent>,
  { fields, hasNewVersion = false }: { fields: readonly string[]; hasNewVersion?: boolean },
) => {
  const agent = await writeAgent(db, before, changes);
  change(db, principal, {
    action: 'agent.updated',
    subject: agent.id,
    fields,
    values: { before: settingsOf(before), after: settingsOf(agent) },
    // A new version alone has its own entry.
    isAudited: !hasNewVersion || fields.length > 0,
    event: { ...agentSnapshot(agent), changed: hasNewVersion ? [...fields, 'versions'] : fields },
  });
  return agent;
};

/** Changes the given fields. New instructions become a draft; the deployed version stays deployed. */
export const updateAgent = write(
  'updateAgent',
  async (
    db,
    principal: Principal,
    { id, match, instructions, based_on: version, ...changed }: AgentUpdate & { id: string; match?: IfMatch },
  ): Promise<JsonWithEtag> => {
    const before = await lockAgent(db, principal, id, match);
    const base =
      instructions === undefined ? undefined : await baseOf(db, principal, { agent: before.id, version });
    const fields = changedFields(before, { ...before, ...changed }, ['name', 'description']);
    const facts = await saveAgent(db, principal, before, changed, {
      fields,
      hasNewVersion: base !== undefined,
    });
    if (instructions !== undefined && base) {
      const { config, config_sha256 } = base;
      const basedOn = version === undefined ? null : base.id;
      const draft = { agent: before.id, instructions, basedOn, at: facts.updated_at };
      await addDraft(db, principal, { ...draft, config, config_sha256 });
    }
    return { json: JSON.stringify(store.agentOf(facts)), etag: agentTag(facts) };
  },
);

/** Hides the agent. History that refers to it keeps its name. */
export const deleteAgent = write(
  'deleteAgent',
  async (db, principal: Principal, input: { id: string; match?: IfMatch }): Promise<void> => {
    const { workspace } = principal;
    const { id } = await lockAgent(db, principal, input.id, input.match);
    await db.run(store.markDeleted, { workspace_id: workspace, id, deleted_at: timestamp() });
    change(db, principal, {
      action: 'agent.deleted',
      subject: id,
      event: { agent: id },
      counters: { before: [LIST] },
    });
    await agentDeletion.run(db, principal, { id });
  },
);
