import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { cascade } from '../../lib/cascade.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { invalidField, notFound } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag } from '../../lib/etag.ts';
import { newUuid, parseUuid } from '../../lib/ids.ts';
import { withMember } from '../../lib/json.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, pageRequestOf } from '../../lib/page.ts';
import { change, changedFields } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { agentSnapshot, versionSnapshot } from './agent.events.ts';
import type { AgentCreate, AgentDuplicate, AgentQuery, AgentUpdate } from './agent.schema.ts';
import * as store from './agent.store.ts';
import { findVersion } from './version.find.ts';
import { findNewestVersion } from './version.store.ts';

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

/** Every update and deploy increases `updated_at`, so the ETag does not need the versions. */
const agentTag = ({ updated_at }: { updated_at: string }): string => `"${updated_at}"`;

/** The agent with its deployed version and the summaries of all versions, as JSON. */
export const getAgent = read(
  'getAgent',
  (db, { workspace }: Principal, input: { id: string }): MaybePromise<JsonWithEtag> => {
    const id = parseAgentId(input.id);
    return chain(db.get(store.findAgent, { workspace, id }), (found) => {
      if (!found) throw notFound('agent');
      const { deployed_id, deployed_number, instructions, versions, ...facts } = found;
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

/** `basedOn` is the id of the version that the instructions were copied from. */
export const createAgent = write(
  'createAgent',
  async (
    db,
    principal: Principal,
    {
      name,
      description = null,
      instructions,
      basedOn = null,
      ...bundle
    }: AgentCreate & Partial<Bundle> & { basedOn?: string | null },
  ): Promise<JsonWithEtag & { id: string }> => {
    const { workspace: workspace_id } = principal;
    const id = newUuid();
    const now = timestamp();
    const facts = { workspace_id, id, name, description, created_at: now, updated_at: now };
    await db.run(store.insertAgent, store.rowOf(facts, undefined));
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
    const source = await db.get(store.findAgent, { workspace, id: agent });
    if (!source) throw notFound('agent');
    const named = version ?? source.deployed_id;
    const text = named
      ? await findVersion(db, workspace, { agent, version: named })
      : await db.get(findNewestVersion, { workspace, agent });
    if (!text) throw notFound('version of this agent');
    const { description } = source;
    const { instructions, config, config_sha256, id: basedOn } = text;
    const copy = { name: name ?? copyName(source.name), description, instructions, basedOn };
    const created = await createAgent(db, principal, { ...copy, config, config_sha256 });
    const key = { workspace_id: workspace, id: created.id };
    const declared = await db.get(store.findAgentVariables, { workspace, id: agent });
    if (declared?.variables) await db.run(store.setAgentVariables, { ...declared, ...key });
    const checked = await db.get(store.findConfigSchema, { workspace, id: agent });
    if (checked?.config_schema) await db.run(store.setConfigSchema, { ...checked, ...key });
    return created;
  },
);

export const unknownBase = () =>
  invalidField('based_on', 'must be a version of this agent, by its id or its label, such as v3.');

/** The parts of a version besides its text. `config` is JSON, as it was sent. */
type Bundle = Pick<store.VersionRow, 'config' | 'config_sha256' | 'note'>;

const NO_BUNDLE: Bundle = { config: null, config_sha256: null, note: null };

interface NewDraft extends Partial<Bundle> {
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
): Promise<store.VersionRow> => {
  const id = newUuid();
  const draft = {
    workspace_id: principal.workspace,
    agent_id: agent,
    id,
    instructions,
    created_at: at,
    created_by: principal.actor,
    based_on: basedOn,
    ...NO_BUNDLE,
    ...bundle,
  };
  const { number } = (await db.get(store.insertDraft, draft)) as { number: number };
  const row: store.VersionRow = { ...draft, number, status: 'draft' };
  const event = versionSnapshot(row);
  change(db, principal, { action: 'version.created', subject: id, parent: agent, event });
  await db.run(store.updateVersionsJson, { workspace: principal.workspace, id: agent });
  return row;
};

/** Locks the agent until the transaction ends, and checks the precondition of the request. */
export const lockAgent = async (db: Db, { workspace }: Principal, id: string, match?: IfMatch) => {
  const found = await db.get(store.selectAgentForUpdate, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  assertIfMatch('agent', agentTag(found), match);
  return found;
};

/** Changes the given fields. New instructions become a draft; the deployed version stays deployed. */
export const updateAgent = write(
  'updateAgent',
  async (
    db,
    principal: Principal,
    { id, match, ...fields }: AgentUpdate & { id: string; match?: IfMatch },
  ): Promise<JsonWithEtag> => {
    const { workspace } = principal;
    const before = await lockAgent(db, principal, id, match);
    const { instructions, based_on: version, ...changed } = fields;
    const base =
      instructions !== undefined && version !== undefined
        ? await findVersion(db, workspace, { agent: before.id, version })
        : undefined;
    if (instructions !== undefined && version !== undefined && !base) throw unknownBase();
    const facts = { ...before, ...changed, updated_at: timestampAfter(before.updated_at) };
    const deployed = await db.get(store.findDeployed, { workspace, id: before.id });
    await db.run(store.updateAgentRow, store.rowOf(facts, deployed));
    const named = changedFields(before, facts, ['name', 'description']);
    const shown = instructions === undefined ? named : [...named, 'versions'];
    change(db, principal, {
      action: 'agent.updated',
      subject: before.id,
      fields: named,
      // New instructions alone have the entry of their version.
      isAudited: instructions === undefined || named.length > 0,
      event: { ...agentSnapshot(facts), changed: shown },
    });
    if (instructions !== undefined) {
      const copied = base ?? (await db.get(findNewestVersion, { workspace, agent: before.id }));
      await addDraft(db, principal, {
        agent: before.id,
        instructions,
        basedOn: base?.id ?? null,
        at: facts.updated_at,
        config: copied?.config ?? null,
        config_sha256: copied?.config_sha256 ?? null,
      });
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
