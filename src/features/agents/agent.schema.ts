import { uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';

export const deploymentStatuses = ['draft', 'deployed', 'archived'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

const VERSION =
  /^(v[1-9][0-9]{0,8}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;

/** An agent and its version in a path. */
export const versionParams = {
  id: { ...uuidSchema, description: 'The id of the agent (UUID).' },
  version: { pattern: VERSION.source, description: 'The id of the version, or its label, such as `v3`.' },
};

/** The same as operations name them. */
export const versionKey = ({ params }: { params: Record<'id' | 'version', string> }) => ({
  agent: params.id,
  version: params.version,
});

/** A version in a request: its id, or its label. */
export const versionField = (description: string) =>
  v.text({
    schema: { pattern: VERSION.source, description },
    check: (version) =>
      VERSION.test(version) ? undefined : 'must be the id of a version or its label, such as v3.',
  });

const fields = {
  name: v.text({ min: 1, max: 100, schema: { description: 'The name of the agent.' } }),
  description: v.nullable(v.text({ max: 500, schema: { description: 'The purpose of the agent.' } })),
  instructions: v.text({
    max: 50_000,
    schema: { description: 'The system prompt. Sending it creates a new draft version.' },
  }),
};

/** Read-only fields, which a client may send back. */
const ignored = ['id', 'created_at', 'updated_at', 'deployed_version', 'versions'];

export const agentCreate = v.object(fields, {
  title: 'AgentCreate',
  required: ['name', 'instructions'],
  ignored,
});
export type AgentCreate = ReturnType<typeof agentCreate.read>;

export const agentUpdate = v.object(
  {
    ...fields,
    based_on: versionField(
      'The version, by id or label, that the instructions were edited from. Ignored without `instructions`.',
    ),
  },
  { title: 'AgentUpdate', ignored },
);
export type AgentUpdate = ReturnType<typeof agentUpdate.read>;

export const agentDuplicate = v.object(
  {
    name: v.described(fields.name, 'The name of the copy; "Copy of" and the name of the agent if omitted.'),
    version: versionField(
      'The version to copy, by id or label; if omitted, the deployed one, or else the newest.',
    ),
  },
  { title: 'AgentDuplicate' },
);
export type AgentDuplicate = ReturnType<typeof agentDuplicate.read>;

export const agentQuery = v.object(pageFields);
export type AgentQuery = ReturnType<typeof agentQuery.read>;

const uuid: s.JsonSchema = { type: 'string', format: 'uuid', description: 'A UUIDv7.' };
const label: s.JsonSchema = {
  type: 'string',
  pattern: '^v[1-9][0-9]*$',
  description: 'v1, v2, …: numbered per agent, without gaps.',
};

const base: Record<string, s.JsonSchema> = {
  id: uuid,
  name: { type: 'string', minLength: 1, maxLength: 100, description: 'The name of the agent.' },
  description: { type: ['string', 'null'], maxLength: 500, description: 'The purpose of the agent.' },
  created_at: s.dateTime('When the agent was created.'),
  updated_at: s.dateTime('When the agent was last updated. Increases with every update.'),
};

const deployed = (properties: Record<string, s.JsonSchema>): s.JsonSchema =>
  s.orNull(s.object('DeployedVersion', properties), '`null` until a version is deployed.');

export const agentResponses = {
  written: s.object('WrittenAgent', base),
  listed: s.object('ListedAgent', {
    ...base,
    deployed_version: deployed({ id: uuid, version_label: label }),
  }),
  full: s.object('Agent', {
    ...base,
    deployed_version: deployed({
      id: uuid,
      version_label: label,
      instructions: { type: 'string', maxLength: 50_000, description: 'The active instructions.' },
    }),
    versions: s.list(
      s.object('VersionSummary', {
        id: uuid,
        version_label: label,
        deployment_status: s.oneOf(deploymentStatuses, 'At most one version is deployed.'),
        created_at: s.dateTime('When the version was created.'),
      }),
      'Newest first.',
    ),
  }),
};

const deployNote = v.nullable(
  v.text({
    max: 500,
    schema: {
      description: 'Why it is deployed. The history of deploys shows it.',
      examples: ['Friendlier greeting'],
    },
  }),
);
export const deployBody = v.object({
  note: deployNote,
  confirm_unknown_variables: v.boolean({
    description: 'Must be true to deploy instructions with unknown variables.',
    examples: [false],
  }),
});
export type DeployBody = ReturnType<typeof deployBody.read>;
