import type { Storage } from '../../../db/storage.ts';
import { existing, invalidField } from '../../../lib/errors.ts';
import { memberText } from '../../../lib/json.ts';
import * as v from '../../../lib/validation.ts';
import { agentCreate, agentQuery, agentUpdate } from '../../agents/agent.schema.ts';
import {
  createAgent,
  getAgent,
  listAgents as listAgentsPage,
  updateAgent,
} from '../../agents/agent.service.ts';
import { NO_CONFIG, type VersionSummary } from '../../agents/agent.store.ts';
import { versionCreate } from '../../agents/config.schema.ts';
import { createVersion } from '../../agents/config.service.ts';
import { compareVersions as comparison, describeVersion } from '../../agents/deploy.history.ts';
import type { Rendering } from '../../agents/render.service.ts';
import { renderVersion } from '../../agents/render.version.ts';
import { variableMap } from '../../agents/variable.schema.ts';
import type { VersionDifference } from '../../agents/version.difference.ts';
import { assertAlso } from '../../workspaces/access.guard.ts';
import type { Principal } from '../../workspaces/principal.ts';
import { textRange } from '../answer.ts';
import { ADD, argumentsOf, id, listAnswer, pick, plural, READ, tool } from '../tool.ts';

export interface AgentView {
  id: string;
  name: string;
  description: string | null;
  updated_at: string;
  deployed_version: { id: string; version_label: string } | null;
  versions: VersionSummary[];
}

export const readAgent = async (storage: Storage, principal: Principal, agent: string): Promise<AgentView> =>
  JSON.parse((await storage.run(getAgent, principal, { id: agent })).json) as AgentView;

export const versionField = v.text({
  min: 1,
  max: 64,
  schema: {
    description: 'A label such as v3, the id of a version, `active` (the deployed one) or `latest`.',
  },
});

export const agentField = id('The id of the agent (UUID). list_agents returns it.');

/** The version of an agent that a label, an id or a word means. */
export const findVersion = (
  { deployed_version, versions }: AgentView,
  which: string,
  argument = 'version',
): VersionSummary => {
  if (which === 'active' && deployed_version === null)
    throw invalidField(
      argument,
      'must not be active: no version of this agent is deployed. Send latest or a label.',
    );
  const named = which === 'active' ? deployed_version?.version_label : which;
  const isMeant = ({ id, version_label }: VersionSummary) =>
    id === which.toLowerCase() || version_label === named;
  return existing('version of this agent', which === 'latest' ? versions[0] : versions.find(isMeant));
};

export const listAgents = tool({
  name: 'list_agents',
  title: 'List agents',
  description:
    'The agents of the workspace, newest first, each with its deployed version. Use read_version for the instructions.',
  scope: 'agents:read',
  hints: READ,
  input: v.object(argumentsOf(agentQuery, 'limit', 'offset')),
  run: async ({ storage, principal }, query) => {
    const page = await storage.run(listAgentsPage, principal, query);
    return listAnswer<AgentView>('list_agents', ['agent', 'agents'], { ...page, ...query }, (agent) => ({
      ...pick(agent, ['id', 'name', 'description', 'updated_at']),
      deployed: agent.deployed_version?.version_label ?? null,
    }));
  },
});

const TEXT_BYTES = 5_500;
const LISTED_VERSIONS = 5;

export const readVersion = tool({
  name: 'read_version',
  title: 'Read a version',
  description:
    'The instructions (system prompt) of one version of an agent, with a list of the newest versions. With `contact_id`, the text for that contact, and the names without a value. Long instructions are returned in parts: continue with `from`.',
  scope: 'agents:read',
  hints: READ,
  input: v.object(
    {
      agent_id: agentField,
      version: versionField,
      from: v.queryInteger(0, 5_000_000, 0, {
        description: 'The position of the first character to return.',
      }),
      part: v.described(
        v.oneOf(['instructions', 'config']),
        'What to return: the instructions, by default, or the config (JSON: model, voice, tools).',
      ),
      contact_id: id('A contact whose values replace the variables. Requires contacts:read.'),
      variables: v.described(
        variableMap,
        'Values by name, as an enrollment has them. Only with `contact_id`.',
      ),
    },
    { required: ['agent_id'] },
  ),
  run: async (
    { storage, principal },
    { agent_id, version = 'latest', from = 0, part: wanted = 'instructions', contact_id, variables = {} },
  ) => {
    if (contact_id !== undefined) assertAlso(principal, 'contacts:read');
    const agent = await readAgent(storage, principal, agent_id);
    const found = findVersion(agent, version);
    const key = { agent: agent_id, version: found.id };
    const { json } = await storage.run(describeVersion, principal, key);
    const rendered: Rendering | undefined =
      contact_id === undefined || wanted === 'config'
        ? undefined
        : JSON.parse((await storage.run(renderVersion, principal, { ...key, contact_id, variables })).json);
    const config = memberText(json, 'config') ?? '';
    const text: string = wanted === 'config' ? config : (rendered?.text ?? JSON.parse(json).instructions);
    const { part, end } = textRange(text, from, TEXT_BYTES);
    const range = `Characters ${Math.min(from, text.length)} to ${end} of ${text.length} of the ${wanted}.`;
    const more = wanted === 'config' ? ' and part config' : '';
    const rest =
      end < text.length
        ? ` For the rest, call read_version with version ${found.version_label}${more} and from ${end}.`
        : '';
    const other =
      wanted === 'config' || config === NO_CONFIG ? '' : ` It has a config of ${config.length} characters.`;
    const holes = rendered?.holes.length ? rendered.holes.join(', ') : 'none';
    const preview = rendered ? ` Rendered for ${contact_id}; names without a value: ${holes}.` : '';
    const newest = agent.versions
      .slice(0, LISTED_VERSIONS)
      .map(({ version_label, deployment_status }) => `${version_label} (${deployment_status})`);
    return {
      summary: `Version ${found.version_label} (id ${found.id}, ${found.deployment_status}, created ${found.created_at}) of agent ${agent.id}. ${plural(agent.versions.length, 'version')}, newest first: ${newest.join(', ')}${agent.versions.length > LISTED_VERSIONS ? ', …' : ''}. ${range}${rest}${other}${preview}`,
      text: part,
    };
  },
});

export const draftInstructions = tool({
  name: 'draft_instructions',
  title: 'Draft new instructions',
  description:
    'Saves new instructions as a draft version of an agent. Nothing goes live: that needs show_deploy_impact and deploy_version. Without agent_id it creates a new agent, for which name is required.',
  scope: 'agents:write',
  hints: ADD,
  input: v.object(
    {
      agent_id: id('The id of the agent. Omit it to create a new agent.'),
      ...agentCreate.fields,
      instructions: v.described(
        agentCreate.fields.instructions,
        'The whole new system prompt, not a part of it.',
      ),
      config: v.described(
        versionCreate.fields.config,
        'The whole config (JSON); if omitted, that of the newest version. Only with `agent_id`. Secrets as `$secret:name`.',
      ),
    },
    { required: ['instructions'] },
  ),
  run: async ({ storage, principal }, { agent_id, config, ...fields }) => {
    if (config && agent_id === undefined)
      throw invalidField(
        'config',
        'needs agent_id. Create the agent first, then draft a version with the config.',
      );
    const { instructions, ...details } = fields;
    const agent = agent_id ?? (await storage.run(createAgent, principal, agentCreate.read(fields))).id;
    if (config) await createVersion(storage, principal, { id: agent, instructions, config });
    const changes = config ? details : fields;
    if (agent_id !== undefined && Object.keys(changes).length > 0)
      await storage.run(updateAgent, principal, { ...agentUpdate.read(changes), id: agent });
    const { id: agentId, versions } = await readAgent(storage, principal, agent);
    const [draft, earlier] = versions as [VersionSummary, VersionSummary?];
    return {
      summary: `Saved as draft ${draft.version_label} (id ${draft.id}) of agent ${agentId}. It is not live. Next: ${earlier ? 'compare_versions, or ' : ''}show_deploy_impact.`,
      structured: { agent_id: agentId, version_id: draft.id, version_label: draft.version_label },
    };
  },
});

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** How often the config differs, if it does. */
export const configChanges = ({ config: { changes } }: Pick<VersionDifference, 'config'>): string =>
  changes.length === 0 ? '' : `; ${plural(changes.length, 'change')} of the config`;

/** The lines of a diff, with a few unchanged ones around each change. */
export const diffLinesOf = ({ hunks, config }: Pick<VersionDifference, 'hunks' | 'config'>): string[] => [
  ...hunks.flatMap(({ changes }, at) => [
    ...(at === 0 ? [] : ['…']),
    ...changes.flatMap(({ change, lines }) => lines.map((line) => `${SIGNS[change]}${line}`)),
  ]),
  ...config.changes.map(
    ({ path, change, ...values }) => `config${path} ${change}: ${JSON.stringify(values)}`,
  ),
];

export const compareVersions = tool({
  name: 'compare_versions',
  title: 'Compare versions',
  description:
    'The differences between two versions of an agent: the instructions line by line (+ added, - removed), and the config by JSON Pointer. By default it compares the deployed version with the latest one, or, if none is deployed, the two latest ones.',
  scope: 'agents:read',
  hints: READ,
  input: v.object(
    {
      agent_id: agentField,
      from: versionField,
      to: versionField,
      offset: v.queryInteger(0, 200_000, 0, {
        description: 'Long differences are returned in parts. The position of the first character to return.',
      }),
    },
    { required: ['agent_id'] },
  ),
  run: async ({ storage, principal }, { agent_id, from, to = 'latest', offset = 0 }) => {
    const agent = await readAgent(storage, principal, agent_id);
    const { deployed_version, versions } = agent;
    const base = deployed_version ?? versions[1] ?? versions[0];
    const older = findVersion(agent, from ?? base?.version_label ?? 'latest', 'from');
    const newer = findVersion(agent, to, 'to');
    const difference = await storage.run(comparison, principal, {
      agent: agent_id,
      from: older.id,
      to: newer.id,
    });
    const lines = diffLinesOf(difference).join('\n');
    const { part, end } = textRange(lines, offset, TEXT_BYTES);
    const labels = `${older.version_label} to ${newer.version_label}`;
    const { added, removed, config } = difference;
    if (added + removed + config.changes.length === 0)
      return { summary: `The instructions and the config of ${labels} do not differ.` };
    const rest = end < lines.length ? ` For the rest, call compare_versions with offset ${end}.` : '';
    return {
      summary: `From ${labels}: ${plural(difference.added, 'line')} added, ${plural(difference.removed, 'line')} removed${configChanges(difference)}.${rest}`,
      text: part,
    };
  },
});
