import type { Storage } from '../../db/storage.ts';
import { recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { isSameSecret } from '../../lib/encryption.ts';
import { ApiError } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { withMember } from '../../lib/json.ts';
import { chain } from '../../lib/maybe-promise.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { configProperties } from '../agents/config.schema.ts';
import { renderingProperties } from '../agents/render.schema.ts';
import { storeRendering } from '../agents/rendering.service.ts';
import { contactResponses } from '../contacts/contact.schema.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Principal } from '../workspaces/principal.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { activeOnChannel, findHookChannel, renderOnChannel } from './channel.service.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('channel', 'channelSecret'));

/** A runtime, which authenticates with the secret of its channel. */
export interface ChannelPrincipal extends Principal {
  readonly agent: string | null;
  readonly address: string;
}

export const channelGuard = (storage: Storage) =>
  secretGuard<ChannelPrincipal>(async (id, secret) => {
    const channel = await storage.run(findHookChannel, null, { id });
    const hashes = channel ? acceptedSecrets(channel, 'secret_hash') : [undefined];
    if (!hashes.some((hash) => isSameSecret(secret, hash)) || !channel) return undefined;
    const { workspace_id: workspace, id: actor, agent_id: agent, address } = channel;
    return { workspace, actor, agent, address };
  });

const properties = {
  agent_id: s.string(),
  version_id: s.string(),
  version_label: s.string(),
  instructions: s.string('As they are written, with placeholders.'),
  ...configProperties,
};
const channelAgent: s.JsonSchema = {
  ...s.object('ChannelAgent', properties),
  properties: {
    ...properties,
    contact: s.orNull(
      contactResponses.full,
      'Only with `number`: the contact, with its fields; `null` if the number is no contact.',
    ),
    rendered: s.string('Only with `number`: the instructions with the values of the contact.'),
    ...renderingProperties,
  },
};

const numberQuery = v.only({
  number: v.text({
    max: 64,
    schema: {
      description:
        "The other party's number, in any format. Adds the contact and the instructions with its values. Empty or not a number: no contact.",
      examples: ['+14155550100'],
    },
  }),
});

/** Called by runtimes. */
export const channelHooks = (storage: Storage) => {
  const withoutNumber = (agent: string | null, principal: Principal) =>
    chain(storage.run(activeOnChannel, principal, { agent }), ({ config, shown }) => ({
      json: withMember(JSON.stringify(shown), 'config', config),
      etag: `"${shown.version_id}"`,
    }));
  const withNumber = async ({ agent, address, ...principal }: ChannelPrincipal, number: string) => {
    const { shown, speech, isStored } = await storage.run(renderOnChannel, principal, {
      agent,
      // An unescaped plus sign of a query arrives as a space.
      number: number.replace(/^ /, '+'),
      near: address,
    });
    const { contact, version_id, sha256, rendered: text } = shown;
    // Once for each text, so that a call can show the one that it was made with. A database that cannot write must not silence a call.
    if (contact !== null && !isStored)
      await storage
        .run(storeRendering, principal, { contact_id: contact.id, version_id, sha256, text })
        .catch((error) => {
          if (!(error instanceof ApiError) || error.code !== 'UNAVAILABLE') throw error;
        });
    const json = withMember(JSON.stringify(shown), 'config', speech.version.config);
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
      handle: (request) => {
        const { principal, query } = request;
        return recordWithEtag(
          request,
          query.number === undefined
            ? withoutNumber(principal.agent, principal)
            : withNumber(principal, query.number),
        );
      },
    }),
  };
};
