import type { Storage } from '../../db/storage.ts';
import { isOverloaded } from '../../http/pipeline/load-shedding.ts';
import { recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { withTimeout } from '../../lib/concurrency.ts';
import { isSameSecret } from '../../lib/encryption.ts';
import { ApiError, unavailable } from '../../lib/errors.ts';
import { shortHash } from '../../lib/etag.ts';
import { withMember } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { configProperties } from '../agents/config.schema.ts';
import { renderingProperties } from '../agents/render.schema.ts';
import { storeRendering } from '../agents/rendering.service.ts';
import { contactResponses } from '../contacts/contact.schema.ts';
import { hookAccess } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { channelId, findHookChannel, renderOnChannel } from './channel.service.ts';
import type { ChannelPrincipal, KnownChannel, KnownChannels } from './known-channels.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('channel', 'channelSecret'));

/** The principal, if the secret is one of the channel's. */
const principalOf = (channel: KnownChannel | undefined, secret: string): ChannelPrincipal | undefined => {
  const hashes = channel ? acceptedSecrets(channel, 'secret_hash') : [undefined];
  if (!hashes.some((hash) => isSameSecret(secret, hash)) || !channel) return undefined;
  const { workspace_id: workspace, id: actor, agent_id: agent, address } = channel;
  return { workspace, actor, agent, address };
};

const identify = async (storage: Storage, known: KnownChannels, id: string, secret: string) => {
  const readAt = performance.now();
  const channel = await storage.run(findHookChannel, null, { id });
  const principal = principalOf(channel, secret);
  const key = channelId.parse(id);
  if (key !== undefined) known.update(key, channel, readAt, principal !== undefined);
  return principal;
};

export const channelGuard = (storage: Storage, known: KnownChannels) =>
  secretGuard((id, secret) => identify(storage, known, id, secret));

/** The longest wait for the database, before the channel is authenticated by what this thread knows. */
const GUARD_MS = 300;

/** Throws in place of the database. */
export const late = () => {
  throw unavailable('The database has not answered in time. Retry in 1 second.');
};

/** The same for a route that also serves without the database. The principal is then `degraded`. */
export const sessionGuard = (storage: Storage, known: KnownChannels) =>
  secretGuard<ChannelPrincipal>(async (id, secret, request) => {
    const key = channelId.parse(id) ?? '';
    const fromMemory = () => principalOf(known.find(key), secret);
    try {
      if (isOverloaded(request)) throw unavailable('The service is overloaded. Retry in 1 second.');
      if (known.isLost && fromMemory()) throw unavailable();
      const fresh = known.findFresh(key);
      const principal = fresh && principalOf(fresh, secret);
      return principal ?? (await withTimeout(identify(storage, known, id, secret), GUARD_MS, late));
    } catch (error) {
      // Another secret may be a new one, so it is not refused: only the database knows.
      const principal = known.canReplace(error) ? fromMemory() : undefined;
      if (!principal) throw error;
      return { ...principal, degraded: true };
    }
  });

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
