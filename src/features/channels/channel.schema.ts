import { invalidField } from '../../lib/errors.ts';
import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import {
  dateTimeSchema,
  type JsonSchema,
  nullable,
  objectOf,
  objectSchema,
  oneOf,
  text,
} from '../../lib/validation.ts';
import { E164_PATTERN, phoneProblem } from '../contacts/phone.ts';
import { expirySchema, graceHours } from '../workspaces/grace-period.ts';

export const channelKinds = ['phone', 'sms', 'whatsapp', 'web_chat'] as const;
export type ChannelKind = (typeof channelKinds)[number];

const fields = {
  name: text({ min: 1, max: 100 }),
  address: text({ min: 1, max: 200 }),
  twilio_auth_token: nullable(
    text({
      min: 16,
      max: 200,
      schema: {
        description: 'The auth token that Twilio signs with. Without one, the secret of the channel is used.',
      },
    }),
  ),
};

const properties: Record<string, JsonSchema> = {
  id: { type: 'string' },
  kind: { type: 'string', enum: channelKinds },
  name: { type: 'string' },
  address: { type: 'string' },
  agent: {
    oneOf: [
      objectSchema('ChannelAgent', { id: { type: 'string' }, name: { type: 'string' } }),
      { type: 'null' },
    ],
  },
  old_secret_expires_at: expirySchema('the old secret'),
  old_twilio_auth_token_expires_at: expirySchema('the old Twilio auth token'),
  created_at: dateTimeSchema('When the channel was created.'),
  updated_at: dateTimeSchema('When the channel was last changed.'),
};

/** Set by the service. */
const ignored = Object.keys(properties).filter((name) => name !== 'kind' && !(name in fields));

/** The address of a channel is a phone number, except for web chats. */
const addressProblem = (kind: ChannelKind, address: string): string | undefined =>
  kind === 'web_chat' ? undefined : phoneProblem(address);

export const channelCreate = objectOf(
  { kind: oneOf(channelKinds), ...fields },
  {
    title: 'ChannelCreate',
    required: ['kind', 'name', 'address'],
    ignored,
    schema: {
      if: { type: 'object', properties: { kind: { const: 'web_chat' } } },
      else: { type: 'object', properties: { address: { type: 'string', pattern: E164_PATTERN } } },
    },
    check: ({ kind, address }) => {
      const message = addressProblem(kind as ChannelKind, address as string);
      return message ? [{ field: 'address', message }] : [];
    },
  },
);
export type ChannelCreate = ReturnType<typeof channelCreate.read>;

export const channelUpdate = objectOf(
  { ...fields, grace_hours: graceHours },
  {
    title: 'ChannelUpdate',
    ignored: [...ignored, 'kind'],
    schema: {
      dependentSchemas: {
        grace_hours: {
          type: 'object',
          required: ['twilio_auth_token'],
          properties: { twilio_auth_token: { type: 'string' } },
        },
      },
    },
    check: ({ grace_hours, twilio_auth_token }) =>
      grace_hours === undefined || twilio_auth_token
        ? []
        : [{ field: 'grace_hours', message: 'must be sent together with twilio_auth_token.' }],
  },
);
export type ChannelUpdate = ReturnType<typeof channelUpdate.read>;

export const channelAgent = objectOf(
  {
    agent_id: text({
      schema: uuidSchema,
      check: (id) => (parseUuid(id) ? undefined : 'must be the id of an agent (UUID).'),
    }),
  },
  { title: 'ChannelAgentUpdate', required: ['agent_id'] },
);

export const channelQuery = objectOf({
  ...pageFields,
  agent_id: text({ schema: { description: 'Only channels that this agent is connected to.' } }),
});
export type ChannelQuery = ReturnType<typeof channelQuery.read>;

export const assertAddress = (kind: ChannelKind, address: string): void => {
  const message = addressProblem(kind, address);
  if (message) throw invalidField('address', message);
};

export const channelResponses = {
  channel: objectSchema('Channel', properties),
  created: objectSchema('CreatedChannel', {
    ...properties,
    secret: { type: 'string', description: 'Shown only once.' },
  }),
};
