import { windowFields } from '../kernel/page.ts';
import { exactly, type JsonSchema, orNull, shape, text, timeSchema } from '../kernel/shape.ts';

export const deploymentStatuses = ['draft', 'deployed', 'archived'] as const;
export type DeploymentStatus = (typeof deploymentStatuses)[number];

const fields = {
  name: text({ min: 1, max: 100 }),
  description: orNull(text({ max: 500 })),
  instructions: text({ max: 50_000 }),
};

/** What the server owns: a record that was read can be sent back as it came. */
const ignored = ['id', 'created_at', 'updated_at', 'deployed_version', 'versions'];

export const agentCreate = shape(fields, { required: ['name', 'instructions'], ignored });
export type AgentCreate = ReturnType<typeof agentCreate.read>;

export const agentUpdate = shape(fields, { ignored });
export type AgentUpdate = ReturnType<typeof agentUpdate.read>;

export const agentQuery = shape(windowFields);
export type AgentQuery = ReturnType<typeof agentQuery.read>;

const uuid: JsonSchema = { type: 'string', format: 'uuid' };
const label: JsonSchema = { type: 'string', pattern: '^v[1-9][0-9]*$' };

const base: Record<string, JsonSchema> = {
  id: uuid,
  name: { type: 'string', minLength: 1, maxLength: 100 },
  description: { type: ['string', 'null'], maxLength: 500 },
  created_at: timeSchema,
  updated_at: timeSchema,
};

const deployed = (properties: Record<string, JsonSchema>): JsonSchema => ({
  description: '`null` until a version is deployed.',
  oneOf: [exactly('DeployedVersion', properties), { type: 'null' }],
});

/** What the endpoints answer, for the documents. */
export const agentAnswers = {
  written: exactly('WrittenAgent', base),
  listed: exactly('ListedAgent', { ...base, deployed_version: deployed({ id: uuid, version_label: label }) }),
  full: exactly('Agent', {
    ...base,
    deployed_version: deployed({
      id: uuid,
      version_label: label,
      instructions: { type: 'string', maxLength: 50_000 },
    }),
    versions: {
      type: 'array',
      description: 'Newest first.',
      items: exactly('VersionSummary', {
        id: uuid,
        version_label: label,
        deployment_status: { type: 'string', enum: deploymentStatuses },
        created_at: timeSchema,
      }),
    },
  }),
};
