import { conflict } from '../../../lib/errors.ts';
import { PLAN_MINUTES } from '../../../lib/plan-token.ts';
import * as v from '../../../lib/validation.ts';
import { deployBody } from '../../agents/agent.schema.ts';
import { activeVersionAt, deployVersion, NOW } from '../../agents/deploy.service.ts';
import { previewDeploy } from '../../campaigns/impact.service.ts';
import { isKeyWithout } from '../../workspaces/principal.ts';
import { issuePlanToken, readPlanToken } from '../plan-token.ts';
import { plural, READ, REPLACE, tool } from '../tool.ts';
import { agentField, configChanges, diffLinesOf, findVersion, readAgent, versionField } from './agents.ts';

const LISTED = 10;
const DIFF_LINES = 40;

export const showDeployImpact = tool({
  name: 'show_deploy_impact',
  title: 'Show the impact of a deploy',
  description: `What would change if a version were deployed: channels, campaigns, contacts, variables and text. Changes nothing. With a key that may deploy it returns a plan_token, valid for ${PLAN_MINUTES} minutes, that deploy_version requires. Show the impact to the user before you deploy.`,
  scope: 'agents:read',
  hints: READ,
  input: v.object({ agent_id: agentField, version: versionField }, { required: ['agent_id'] }),
  run: async ({ storage, principal, encryptor }, { agent_id, version = 'latest' }) => {
    const agent = await readAgent(storage, principal, agent_id);
    const key = { agent: agent.id, version: findVersion(agent, version).id };
    const found = await storage.run(activeVersionAt, principal, { agent: agent.id, at: NOW });
    const active: { id: string; deployed_at: string } | null = found && JSON.parse(found.json);
    const impact = await storage.run(previewDeploy, principal, key);
    if (impact.deployed_version?.id !== active?.id)
      throw conflict('Another version was deployed at this moment. Call show_deploy_impact again.');
    const replaced = { ...key, replaces: active?.deployed_at ?? null };
    const plan = isKeyWithout(principal, 'agents:deploy')
      ? undefined
      : issuePlanToken(encryptor, principal, replaced);
    const { channels, campaigns, enrolled_contacts, difference, variables, unknown_variables } = impact;
    const { version_label } = impact.version;
    const replaces = impact.deployed_version?.version_label ?? null;
    const lines = diffLinesOf(difference);
    const next = plan
      ? ` To deploy it, call deploy_version with this plan_token before ${plan.expires_at}: ${plan.plan_token}`
      : ' This key cannot deploy: that needs the scope agents:deploy.';
    const unknown = unknown_variables.length
      ? ` It uses ${plural(unknown_variables.length, 'unknown variable')}, which callers would hear as they are written: correct them in a new draft, or deploy with confirm_unknown_variables.`
      : '';
    return {
      summary: `Deploying ${version_label} ${replaces ? `replaces ${replaces}` : 'makes it the first deployed version'}. It affects ${plural(channels.length, 'channel')}, ${plural(campaigns.length, 'active campaign')} and ${plural(enrolled_contacts, 'enrolled contact')}. Text: ${plural(difference.added, 'line')} added, ${plural(difference.removed, 'line')} removed${configChanges(difference)}.${unknown}${next}`,
      records: [
        ...unknown_variables.map((each) => ({ unknown_variable: each })),
        ...variables.map((each) => ({ variable: each })),
        ...channels.slice(0, LISTED).map((each) => ({ channel: each })),
        ...campaigns.slice(0, LISTED).map((each) => ({ campaign: each })),
        ...lines.slice(0, DIFF_LINES).map((line) => ({ diff: line })),
      ],
      more: (shown) => {
        const total =
          unknown_variables.length + variables.length + channels.length + campaigns.length + lines.length;
        return shown < total
          ? 'Not everything is shown; use compare_versions for the whole text.'
          : undefined;
      },
      structured: {
        agent_id: agent.id,
        version_id: key.version,
        version_label,
        replaces,
        channels: channels.length,
        campaigns: campaigns.length,
        enrolled_contacts,
        unknown_variables: unknown_variables.length,
        ...plan,
      },
    };
  },
});

export const deploy = tool({
  name: 'deploy_version',
  title: 'Deploy a version',
  description:
    'Makes a version live on all channels of the agent, immediately. Deploying an older version is a rollback. Requires the plan_token of show_deploy_impact for the same agent and version. Deploy only what the user has approved.',
  scope: 'agents:deploy',
  hints: REPLACE,
  input: v.object(
    {
      agent_id: agentField,
      version: versionField,
      plan_token: v.described(v.text({ min: 1, max: 100 }), 'From show_deploy_impact, unchanged.'),
      ...deployBody.fields,
    },
    { required: ['agent_id', 'version', 'plan_token'] },
  ),
  run: async ({ storage, principal, encryptor }, { agent_id, version, plan_token: token, ...input }) => {
    const agent = await readAgent(storage, principal, agent_id);
    const key = { agent: agent.id, version: findVersion(agent, version).id };
    const replaces = readPlanToken(encryptor, principal, { ...key, token });
    const done = await storage.run(deployVersion, principal, { ...input, ...key, replaces });
    const { version_id, version_label, previous_version_id, deployed_at, changed } = done;
    return {
      summary: changed
        ? `Deployed ${version_label} of agent ${agent.id} at ${deployed_at}. To undo it, plan and deploy the previous version.`
        : `${version_label} of agent ${agent.id} was already deployed, since ${deployed_at}. Nothing changed.`,
      structured: {
        agent_id: agent.id,
        version_id,
        version_label,
        previous_version_id,
        deployed_at,
        changed,
      },
    };
  },
});
