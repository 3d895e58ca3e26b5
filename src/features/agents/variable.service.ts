import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { timestampAfter } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { fieldsOf } from '../fields/field.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { agentSnapshot } from './agent.events.ts';
import { lockAgent, parseAgentId } from './agent.service.ts';
import * as store from './agent.store.ts';
import { type Names, namesWith } from './placeholders.ts';

/** A variable that only enrollments and runtimes provide. */
interface AgentVariable {
  name: string;
  description: string | null;
  example: string | null;
}

export const parseAgentVariables = (stored: string | null | undefined): AgentVariable[] =>
  stored ? JSON.parse(stored) : [];

export const getAgentVariables = read(
  'getAgentVariables',
  async (db: Db, { workspace }: Principal, { id }: { id: string }) => {
    const found = await db.get(store.findAgentVariables, { workspace, id: parseAgentId(id) });
    if (!found) throw notFound('agent');
    return { variables: parseAgentVariables(found.variables) };
  },
);

type Sent = Pick<AgentVariable, 'name'> & Partial<AgentVariable>;

/** Replaces all variables that an agent declares. */
export const replaceAgentVariables = write(
  'replaceAgentVariables',
  async (
    db: Db,
    principal: Principal,
    { id, variables: sent }: { id: string; variables: readonly Sent[] },
  ) => {
    const { workspace } = principal;
    const agent = await lockAgent(db, principal, id);
    const variables = sent.map(({ name, description = null, example = null }) => ({
      name,
      description,
      example,
    }));
    const before = await db.get(store.findAgentVariables, { workspace, id: agent.id });
    const stored = JSON.stringify(variables);
    if (stored === JSON.stringify(parseAgentVariables(before?.variables))) return { variables };
    const facts = { ...agent, updated_at: timestampAfter(agent.updated_at) };
    await db.run(
      store.updateAgentRow,
      store.rowOf(facts, await db.get(store.findDeployed, { workspace, id: agent.id })),
    );
    await db.run(store.setAgentVariables, { workspace_id: workspace, id: agent.id, variables: stored });
    const changed = ['variables'];
    const event = { ...agentSnapshot(facts), changed };
    change(db, principal, { action: 'agent.updated', subject: agent.id, fields: changed, event });
    return { variables };
  },
);

/** The names that the instructions of an agent can use. */
export const knownNames = async (
  db: Db,
  { workspace, agent }: { workspace: number; agent: string },
): Promise<Names> => {
  const [definitions, found] = await Promise.all([
    fieldsOf(db, workspace),
    db.get(store.findAgentVariables, { workspace, id: agent }),
  ]);
  const fields = [...definitions.values()].filter(({ archived_at }) => archived_at === null);
  return namesWith(
    fields.map(({ key }) => key),
    parseAgentVariables(found?.variables).map(({ name }) => name),
  );
};
