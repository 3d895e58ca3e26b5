import type { Storage } from '../../db/storage.ts';
import { recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { ApiError } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { withMember } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { configProperties } from '../agents/config.schema.ts';
import { renderingProperties } from '../agents/render.schema.ts';
import { storeRendering } from '../agents/rendering.service.ts';
import { contactResponses } from '../contacts/contact.schema.ts';
import { hookAccess } from '../workspaces/access.ts';
import { renderOnChannel } from './channel.service.ts';
import type { ChannelPrincipal, KnownChannels } from './known-channels.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('channel', 'channelSecret'));

const channelAgent = s.object(
  'ChannelAgent',
  {
    agent_id: s.string(),
    version_id: s.string(),
    version_label: s.string(),
    instructions: s.string('As they are written, with placeholders.'),
    ...configProperties,
  },
  {
    contact: s.orNull(
      contactResponses.full,
      'Only with `number`: the contact, with its fields; `null` if the number is no contact.',
    ),
    rendered: s.string('Only with `number`: the instructions with the values of the contact.'),
    ...renderingProperties,
  },
);

const numberQuery = v.only({
  number: v.text({
    max: 64,
    schema: {
      description:
        "The other party's number, in any format. Adds the contact and the instructions with its values. If it is empty or not a phone number, `contact` is `null`.",
      examples: ['+14155550100'],
    },
  }),
});

/** Called by runtimes. */
export const channelHooks = (storage: Storage, known: KnownChannels) => {
  const getAgent = async ({ agent, address: near, ...principal }: ChannelPrincipal, number?: string) => {
    const rendered = await storage.run(renderOnChannel, principal, {
      agent,
      // An unescaped plus sign of a query arrives as a space.
      number: number?.replace(/^ /, '+') ?? '',
      near,
    });
    const { version, contact, text, values, holes, sha256, isStored } = rendered;
    known.setVersion(principal.actor, version);
    const { agent_id, id: version_id, version_label, instructions, config_sha256, config } = version;
    const shown = { agent_id, version_id, version_label, instructions, config_sha256 };
    if (number === undefined)
      return { json: withMember(JSON.stringify(shown), 'config', config), etag: `"${version_id}"` };
    // Once for each text, so that a call can show the one that it was made with. A database that cannot write must not silence a call.
    if (contact !== null && !isStored)
      await storage
        .run(storeRendering, principal, { contact_id: contact.id, version_id, sha256, values })
        .catch((error) => {
          if (!(error instanceof ApiError) || error.code !== 'UNAVAILABLE') throw error;
        });
    const ofContact = { ...shown, contact, rendered: text, holes, sha256 };
    const json = withMember(JSON.stringify(ofContact), 'config', config);
    return { json, etag: `"${shortHash(json)}"` };
  };
  return {
    'GET /hooks/channels/:id/agent': route({
      operationId: 'getChannelAgent',
      summary: 'Get the live version of a channel',
      description:
        "The deployed version of the channel's agent, never a draft. With `number` also the contact and the instructions with its values.",
      query: numberQuery,
      data: channelAgent,
      hasEtag: true,
      errors: ['NOT_FOUND'],
      handle: (request) => recordWithEtag(request, getAgent(request.principal, request.query.number)),
    }),
  };
};
