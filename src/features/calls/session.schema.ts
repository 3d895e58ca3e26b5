import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { renderingProperties } from '../agents/render.schema.ts';
import { variableMap } from '../agents/variable.schema.ts';
import { variablesProblem } from '../agents/variable.values.ts';
import { contactResponses } from '../contacts/contact.schema.ts';
import { userIdentity } from '../contacts/identity.schema.ts';
import { callStatuses, directions, media } from './call.schema.ts';
import { DEGRADED_PATTERN, sessionId } from './session.find.ts';

export const sessionCreate = v.object(
  {
    provider_id: v.text({
      min: 1,
      max: 255,
      schema: { description: "The provider's id of the call, as in its events." },
    }),
    direction: v.oneOf(directions),
    number: v.nullable(
      v.text({
        max: 64,
        schema: {
          description:
            "The other party's number, in any format. If it is missing, `null`, empty or not a phone number, the session has no contact.",
          examples: ['+14155550100'],
        },
      }),
    ),
    user: v.described(
      userIdentity,
      'Who the other party is, for a person whose number is unknown. With a number, its contact gets this identity.',
    ),
    variables: v.described(
      variableMap,
      'Values by name for the placeholders of the instructions; at most 8,192 bytes as JSON.',
    ),
  },
  {
    title: 'SessionCreate',
    required: ['provider_id', 'direction'],
    check: ({ variables }) => {
      const message = variablesProblem(variables === undefined ? null : JSON.stringify(variables));
      return message === undefined ? [] : [{ field: 'variables', message }];
    },
  },
);
export type SessionCreate = ReturnType<typeof sessionCreate.read>;

const string = s.string();

const recentCall = s.object('RecentCall', {
  id: string,
  type: s.oneOf(media),
  direction: s.oneOf(directions),
  status: s.oneOf(callStatuses),
  started_at: s.dateTime('When the call started.'),
  seconds: s.orNull(s.integer()),
  disposition: s.orNull(string),
  summary: s.orNull(string),
});

export const sessionResponse = s.object('Session', {
  session_id: {
    type: 'string',
    anyOf: [{ pattern: sessionId.tokenSchema.pattern }, { pattern: DEGRADED_PATTERN }],
    description: "Send it in the call's events.",
  },
  contact: s.orNull(
    contactResponses.full,
    'The contact, with its fields; `null` for an unknown outbound number, and for one that is withheld or invalid.',
  ),
  agent_id: string,
  version: s.object('SessionVersion', { id: string, version_label: string }),
  instructions: s.string('Rendered: with the values of the contact and of `variables`.'),
  ...renderingProperties,
  config: { type: 'object', description: "The version's configuration, as it was sent." },
  variables: s.mapOf(
    { type: ['string', 'number', 'boolean'] },
    'As they were sent, without those that are `null`.',
  ),
  recent: s.list(recentCall, "The contact's last three calls and messages, newest first."),
  degraded: s.boolean(
    'Whether the session was started without the database: it has no personal data and is not stored.',
  ),
});
