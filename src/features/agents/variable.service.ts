import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { conflict, existing } from '../../lib/errors.ts';
import { assertIfMatch, type IfMatch, withEtag } from '../../lib/etag.ts';
import { listSome } from '../../lib/text.ts';
import { lockFields } from '../fields/field.store.ts';
import { assertUnused, type Principal } from '../workspaces/principal.ts';
import { DEFAULT_TIME_ZONE } from '../workspaces/settings.service.ts';
import { lockAgent, parseAgentId, saveAgent } from './agent.service.ts';
import * as store from './agent.store.ts';
import { FIELDS, type Names, namesIn, namesWith, parseTemplate } from './placeholders.ts';
import { type ContextRow, findContext } from './render.store.ts';
import type { agentVariables } from './variable.schema.ts';

type Sent = ReturnType<typeof agentVariables.read>['variables'][number];
/** A variable that only enrollments and runtimes provide. */
type AgentVariable = Required<Sent>;

const parseAgentVariables = (stored: string | null | undefined): AgentVariable[] =>
  stored ? JSON.parse(stored) : [];

export const getAgentVariables = read(
  'getAgentVariables',
  async (db, { workspace }: Principal, { id }: { id: string }) => {
    const found = await db.get(store.findDeclared, { workspace, id: parseAgentId(id) });
    return { variables: parseAgentVariables(existing('agent', found).variables) };
  },
);

const usedIn = (instructions: string): Set<string> => namesIn(parseTemplate(instructions));

/** Replaces all variables that an agent declares. A name that its deployed text uses must stay known, or it would be spoken as it is
 *  written. */
export const replaceAgentVariables = write(
  'replaceAgentVariables',
  async (
    db,
    principal: Principal,
    { id, variables: sent, match }: { id: string; variables: readonly Sent[]; match?: IfMatch },
  ) => {
    const { workspace } = principal;
    const agent = await lockAgent(db, principal, id);
    const variables = sent.map(({ name, ...each }) => ({ name, description: null, example: null, ...each }));
    const before = parseAgentVariables(agent.variables);
    assertIfMatch('list of variables', withEtag({ variables: before }).etag, match);
    const stored = JSON.stringify(variables);
    if (stored === JSON.stringify(before)) return { variables };
    await saveAgent(db, principal, agent, { variables: stored }, { fields: ['variables'] });
    await lockFields(db, workspace);
    const known = await knownNames(db, { workspace, agent: agent.id });
    const version = await db.get(store.findActiveVersion, { workspace, id: agent.id });
    const used = usedIn(version?.instructions ?? '');
    const lost = before.flatMap(({ name }) => (used.has(name) && !known.has(name) ? [`{{${name}}}`] : []));
    if (lost.length > 0)
      throw conflict(
        `The deployed version ${version?.version_label} uses ${listSome(lost)}. Deploy a version without these names first.`,
      );
    return { variables };
  },
);

/** A deployed text must not lose the name of a field, as it must not lose a variable. It keeps the bare key if its agent declares it. */
export const assertNotSpoken = async (db: Db, principal: Principal, key: string): Promise<void> => {
  const { workspace } = principal;
  const found = (await db.all(store.findSpeakers, { workspace, pattern: `%${key}%` })).filter((agent) => {
    const used = usedIn(agent.instructions);
    const isDeclared = parseAgentVariables(agent.variables).some(({ name }) => name === key);
    return used.has(`${FIELDS}${key}`) || (used.has(key) && !isDeclared);
  });
  const message = (names: string) =>
    `The deployed instructions of ${names} use the field ${key}. Deploy versions without it first.`;
  assertUnused(principal, 'agents', found, message);
};

/** What the instructions of an agent can refer to. */
export interface Context {
  /** The types of all fields by key, empty for those that are archived. */
  readonly fields: ReadonlyMap<string, string>;
  readonly declared: readonly string[];
  /** All names. That of an archived field has no value: it is a hole, not text to be spoken. */
  readonly names: Names;
  /** The time zone of the workspace. */
  readonly zone: string;
}

const MAX_CONTEXTS = 100;
const contexts = new Map<string, Context>();

/** The context that a row describes. The same rows come again and again. */
export const contextOf = ({ variables, time_zone, types }: ContextRow = NO_CONTEXT): Context => {
  const key = `${time_zone} ${types} ${variables}`;
  const known = contexts.get(key);
  if (known) return known;
  const fields = new Map(types?.split(',').map((each) => each.split(':') as [string, string]));
  const declared = parseAgentVariables(variables).map(({ name }) => name);
  const names = namesWith(fields.keys(), declared);
  const context = { fields, declared, names, zone: time_zone ?? DEFAULT_TIME_ZONE };
  if (contexts.size >= MAX_CONTEXTS) contexts.clear();
  contexts.set(key, context);
  return context;
};
const NO_CONTEXT: ContextRow = { variables: null, time_zone: null, types: null };

/** The names that the instructions of an agent can use. */
export const knownNames = async (db: Db, key: { workspace: number; agent: string }): Promise<Names> => {
  const { fields, declared } = contextOf(await db.get(findContext, key));
  const usable = [...fields].flatMap(([name, type]) => (type === '' ? [] : name));
  return namesWith(usable, declared);
};
