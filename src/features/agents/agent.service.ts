import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { invalid, notFound } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, type JsonWithEtag } from '../../lib/etag.ts';
import { event } from '../../lib/events.ts';
import { newUuid, parseUuid } from '../../lib/ids.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { isDeepPage, type Page, pageRequestOf } from '../../lib/page.ts';
import { changedFields, recordChange } from '../audit/audit.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { AgentCreate, AgentQuery, AgentUpdate } from './agent.schema.ts';
import * as store from './agent.store.ts';

const LIST = 'agents';

/** Emitted after an agent was deleted, so that other features stop using it. */
export const agentDeleted = event<[Db, Principal, { id: string }]>();

export const parseAgentId = (id: string): string => {
  const parsed = parseUuid(id);
  if (!parsed) {
    throw invalid([
      { field: 'id', message: 'must be a UUID, for example 01890a5d-ac96-774b-bcce-b302099a8057.' },
    ]);
  }
  return parsed;
};

/** Every update and deploy increases `updated_at`, so the ETag does not need the versions. */
const agentTag = ({ updated_at }: { updated_at: string }): string => `"${updated_at}"`;

/** The agent with its deployed version and the summaries of all versions, as JSON. */
export const getAgent = read(
  'getAgent',
  (db: Db, { workspace }: Principal, input: { id: string }): MaybePromise<JsonWithEtag> => {
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
      return { json: `${head.slice(0, -1)},"versions":[${versions}]}`, etag: agentTag(facts) };
    });
  },
  { cacheable: true },
);

/** One page of the agents that are not deleted, newest first. */
export const listAgents = read(
  'listAgents',
  (db: Db, { workspace }: Principal, query: AgentQuery): MaybePromise<Page> =>
    chain(
      db.get(store.listAgentRows, { workspace, list: LIST, ...pageRequestOf(query) }),
      (found) => found as Page,
    ),
  { cacheable: true, isLong: isDeepPage },
);

export const createAgent = write(
  'createAgent',
  async (
    db: Db,
    principal: Principal,
    { name, description = null, instructions }: AgentCreate,
  ): Promise<JsonWithEtag & { id: string }> => {
    const { workspace } = principal;
    const now = timestamp();
    const facts = {
      workspace_id: workspace,
      id: newUuid(),
      name,
      description,
      created_at: now,
      updated_at: now,
    };
    await db.run(store.insertAgent, store.rowOf(facts, undefined));
    recordChange(db, principal, { action: 'agent.created', subject: facts.id });
    await addDraft(db, principal, { agent: facts.id, instructions, at: now });
    count(db, workspace, [LIST], 1);
    return { id: facts.id, json: JSON.stringify(store.agentOf(facts)), etag: agentTag(facts) };
  },
);

const addDraft = async (
  db: Db,
  principal: Principal,
  { agent, instructions, at }: { agent: string; instructions: string; at: string },
): Promise<void> => {
  const id = newUuid();
  const row = { workspace_id: principal.workspace, agent_id: agent, id, instructions, created_at: at };
  await db.run(store.insertDraft, row);
  recordChange(db, principal, { action: 'version.created', subject: id, parent: agent });
  await db.run(store.updateVersionsJson, { workspace: principal.workspace, id: agent });
};

/** Locks the agent until the transaction ends, and checks the precondition of the request. */
const lockAgent = async (db: Db, workspace: number, id: string, match: IfMatch | undefined) => {
  const found = await db.get(store.selectAgentForUpdate, { workspace, id: parseAgentId(id) });
  if (!found) throw notFound('agent');
  assertIfMatch('agent', agentTag(found), match);
  return found;
};

/** Changes the given fields. New instructions become a draft; the deployed version stays deployed. */
export const updateAgent = write(
  'updateAgent',
  async (
    db: Db,
    principal: Principal,
    { id, fields, match }: { id: string; fields: AgentUpdate; match?: IfMatch },
  ): Promise<JsonWithEtag> => {
    const { workspace } = principal;
    const before = await lockAgent(db, workspace, id, match);
    const { instructions, ...changed } = fields;
    const facts = { ...before, ...changed, updated_at: timestampAfter(before.updated_at) };
    const deployed = await db.get(store.findDeployed, { workspace, id: before.id });
    await db.run(store.updateAgentRow, store.rowOf(facts, deployed));
    const named = changedFields(before, facts, ['name', 'description']);
    if (instructions !== undefined)
      await addDraft(db, principal, { agent: before.id, instructions, at: facts.updated_at });
    if (instructions === undefined || named.length > 0)
      recordChange(db, principal, { action: 'agent.updated', subject: before.id, fields: named });
    return { json: JSON.stringify(store.agentOf(facts)), etag: agentTag(facts) };
  },
);

/** Hides the agent. History that refers to it keeps its name. */
export const deleteAgent = write(
  'deleteAgent',
  async (db: Db, principal: Principal, input: { id: string; match?: IfMatch }): Promise<void> => {
    const { workspace } = principal;
    const { id } = await lockAgent(db, workspace, input.id, input.match);
    await db.run(store.markDeleted, { workspace, id, at: timestamp() });
    await agentDeleted.emit(db, principal, { id });
    recordChange(db, principal, { action: 'agent.deleted', subject: id });
    count(db, workspace, [LIST], -1);
  },
);
