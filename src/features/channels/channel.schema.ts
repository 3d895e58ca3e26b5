import { invalidField } from '../../lib/errors.ts';
import { parseUuid, uuidSchema } from '../../lib/ids.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { E164_PATTERN, phoneProblem } from '../contacts/phone.ts';
import { expirySchema, graceHours } from '../workspaces/grace-period.ts';

export const channelKinds = ['phone', 'sms', 'whatsapp', 'web_chat'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** The voice platform that calls Roster in its own format; `native` is Roster's own. */
export const adapterNames = [
  'native',
  'vapi',
  'retell',
  'elevenlabs',
  'telnyx',
  'twilio_conversationrelay',
  'jambonz',
] as const;
export type AdapterName = (typeof adapterNames)[number];

const adapter = v.described(
  v.oneOf(adapterNames),
  'The voice platform that the channel belongs to. `native` is for runtimes that use the hooks of channels, and for callbacks of Twilio.',
);

const fields = {
  name: v.text({ min: 1, max: 100 }),
  address: v.text({ min: 1, max: 200 }),
  adapter,
  platform_secret: v.nullable(
    v.described(
      v.text({ min: 16, max: 200 }),
      'What the platform signs with: the auth token of Twilio, the API key of Retell, the secret of the post-call webhook of ElevenLabs, the public key of Telnyx, or the webhook secret of jambonz. Without one, the secret of the channel is used.',
    ),
  ),
};

const properties: Record<string, s.JsonSchema> = {
  id: s.string(),
  kind: s.oneOf(channelKinds),
  name: s.string(),
  address: s.string(),
  adapter: s.oneOf(adapterNames),
  agent: s.orNull(s.object('ChannelAgent', { id: s.string(), name: s.string() })),
  old_secret_expires_at: expirySchema('the old secret'),
  old_platform_secret_expires_at: expirySchema('the old platform secret'),
  created_at: s.dateTime('When the channel was created.'),
  updated_at: s.dateTime('When the channel was last changed.'),
};

/** Set by the service. */
const ignored = Object.keys(properties).filter((name) => name !== 'kind' && !(name in fields));

/** The address of a channel is a phone number, except for web chats. */
const addressProblem = (kind: ChannelKind, address: string): string | undefined =>
  kind === 'web_chat' ? undefined : phoneProblem(address);

export const channelCreate = v.object(
  { kind: v.oneOf(channelKinds), ...fields },
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

export const channelUpdate = v.object(
  { ...fields, grace_hours: graceHours },
  {
    title: 'ChannelUpdate',
    ignored: [...ignored, 'kind'],
    schema: {
      dependentSchemas: {
        grace_hours: {
          type: 'object',
          required: ['platform_secret'],
          properties: { platform_secret: s.string() },
        },
      },
    },
    check: ({ grace_hours, platform_secret }) =>
      grace_hours === undefined || platform_secret
        ? []
        : [{ field: 'grace_hours', message: 'must be sent together with platform_secret.' }],
  },
);
export type ChannelUpdate = ReturnType<typeof channelUpdate.read>;

export const channelAgent = v.object(
  {
    agent_id: v.text({
      schema: uuidSchema,
      check: (id) => (parseUuid(id) ? undefined : 'must be the id of an agent (UUID).'),
    }),
  },
  { title: 'ChannelAgentUpdate', required: ['agent_id'] },
);

export const channelQuery = v.object({
  ...pageFields,
  agent_id: v.text({ schema: { description: 'Only channels that this agent is connected to.' } }),
});
export type ChannelQuery = ReturnType<typeof channelQuery.read>;

export const assertAddress = (kind: ChannelKind, address: string): void => {
  const message = addressProblem(kind, address);
  if (message) throw invalidField('address', message);
};

export const channelResponses = {
  channel: s.object('Channel', properties),
  created: s.object('CreatedChannel', {
    ...properties,
    secret: s.string('Shown only once.'),
  }),
};
