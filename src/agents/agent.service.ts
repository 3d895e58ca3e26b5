import { timestamp, timestampAfter } from '../kernel/clock.ts';
import { invalid, notFound } from '../kernel/errors.ts';
import { event } from '../kernel/events.ts';
import { newUuid, parseUuid } from '../kernel/ids.ts';
import { type Page, windowOf } from '../kernel/page.ts';
import { after, type Pending } from '../kernel/pending.ts';
import type { Db } from '../storage/storage.ts';
import { tally } from '../storage/tallies.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { AgentCreate, AgentQuery, AgentUpdate } from './agent.schema.ts';
import * as store from './agent.store.ts';

const LIST = 'agents';

/** An agent was deleted: it must be active nowhere. */
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

/** The agent with its deployed version and the summaries of all versions, as JSON. */
export const getAgent = (db: Db, { workspace }: Principal, input: { id: string }): Pending<string> => {
  const id = parseAgentId(input.id);
  return after(db.get(store.findAgent, { workspace, id }), (found) => {
    if (!found) throw notFound('agent');
    const { deployed_id, deployed_number, instructions, versions, ...facts } = found;
    const deployed_version = deployed_number
      ? { id: deployed_id, version_label: store.labelOf(deployed_number), instructions }
      : null;
    const head = JSON.stringify({
      ...store.agentOf({ ...facts, workspace_id: workspace, id }),
      deployed_version,
    });
    return `${head.slice(0, -1)},"versions":[${versions}]}`;
  });
};

/** One page of the agents that are not deleted, newest first. */
export const listAgents = (db: Db, { workspace }: Principal, query: AgentQuery): Pending<Page> =>
  after(db.get(store.listAgentRows, { workspace, list: LIST, ...windowOf(query) }), (found) => found as Page);

/** Creates an agent with its first draft, and answers it as JSON. */
export const createAgent = async (
  db: Db,
  { workspace }: Principal,
  { name, description = null, instructions }: AgentCreate,
): Promise<{ id: string; wire: string }> => {
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
  await addDraft(db, facts, instructions, now);
  await tally(db, workspace, [LIST], 1);
  return { id: facts.id, wire: JSON.stringify(store.agentOf(facts)) };
};

const addDraft = (db: Db, agent: { workspace_id: number; id: string }, instructions: string, at: string) =>
  db.run(store.insertDraft, {
    workspace_id: agent.workspace_id,
    agent_id: agent.id,
    id: newUuid(),
    instructions,
    created_at: at,
  });

/** Changes the given fields; instructions become a new draft, and what is deployed stays so. */
export const updateAgent = async (
  db: Db,
  { workspace }: Principal,
  { id, fields }: { id: string; fields: AgentUpdate },
): Promise<string> => {
  const before = await db.get(store.takeAgent, { workspace, id: parseAgentId(id) });
  if (!before) throw notFound('agent');
  const { instructions, ...changed } = fields;
  const facts = { ...before, ...changed, updated_at: timestampAfter(before.updated_at) };
  const deployed = await db.get(store.findDeployed, { workspace, id: before.id });
  await db.run(store.updateAgentRow, store.rowOf(facts, deployed));
  if (instructions !== undefined) await addDraft(db, before, instructions, facts.updated_at);
  return JSON.stringify(store.agentOf(facts));
};

/** Hides an agent from everything but the history that refers to it. */
export const deleteAgent = async (db: Db, principal: Principal, input: { id: string }): Promise<void> => {
  const { workspace } = principal;
  const id = parseAgentId(input.id);
  const deleted = await db.run(store.markDeleted, { workspace, id, at: timestamp() });
  if (deleted === 0) throw notFound('agent');
  await agentDeleted.emit(db, principal, { id });
  await tally(db, workspace, [LIST], -1);
};
