import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf } from '../../http/pipeline/preconditions.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import { digest, type Encryptor } from '../../lib/encryption.ts';
import { withEtag } from '../../lib/etag.ts';
import { newWebhookSecret } from '../../lib/webhook-signature.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import { needs } from '../workspaces/access.ts';
import { secretRoutes } from '../workspaces/secret.routes.ts';
import {
  type ChannelCreate,
  channelAgent,
  channelCreate,
  channelQuery,
  channelResponses,
  channelUpdate,
} from './channel.schema.ts';
import { revokeOldChannelSecret, rotateChannelSecret } from './channel.secrets.ts';
import * as service from './channel.service.ts';

/** The secret of a channel reads the instructions of its agent, and contacts by their numbers with their last calls. Its sessions and
 *  reports create contacts and set their fields. The secret of a platform does so, too. */
const SECRET_SCOPES = ['agents:read', 'contacts:read', 'contacts:write', 'calls:read'] as const;
const access = {
  write: needs('channels:write'),
  secret: needs('channels:write', { also: SECRET_SCOPES }),
};
const read = routesOf(needs('channels:read'));
const write = routesOf(access.write);
const secret = routesOf(access.secret);

export const channelRoutes = (storage: Storage, encryptor: Encryptor) => {
  /** Undefined leaves the stored platform secret unchanged; null removes it. */
  const encryptToken = async (token: string | null | undefined, id: string, graceHours: number) => {
    if (token === undefined) return {};
    if (token === null) return { token: { encrypted: null, graceHours } };
    const { check, encrypt } = await encryptor.current();
    return { token: { encrypted: encrypt(token, id), check, graceHours } };
  };
  const newSecret = async (id: string, { platform_secret: token }: Partial<ChannelCreate> = {}) => {
    // In the form of Standard Webhooks; a runtime sends it as a bearer token too.
    const secret = newWebhookSecret();
    const { check, encrypt } = await encryptor.current();
    const token_sealed = token ? encrypt(token, id) : null;
    const secret_sealed = encrypt(secret, id);
    return { secret, stored: { secret_hash: digest(secret), secret_sealed, token_sealed, check } };
  };
  return {
    'GET /v1/channels': read({
      run: service.listChannels,
      summary: 'List channels',
      description: 'Newest first.',
      query: channelQuery,
      data: channelResponses.channel,
      list: true,
    }),

    'GET /v1/channels/:id': read({
      run: service.getChannel,
      summary: 'Get a channel',
      data: channelResponses.channel,
      hasEtag: true,
    }),

    'PATCH /v1/channels/:id': write({
      operationId: 'updateChannel',
      summary: 'Update a channel',
      description:
        'A new platform secret is accepted immediately. The old one stays valid for `grace_hours`, by default 0. A new one, and an `adapter`, also require the scopes that rotating the secret requires, because they give access to the same. Another adapter removes the stored secret.',
      body: channelUpdate,
      data: channelResponses.channel,
      hasEtag: true,
      handle: async (request) => {
        const { id } = request.params;
        const { platform_secret, grace_hours, ...fields } = request.body;
        if (platform_secret || fields.adapter) assertAlso(request.principal, ...SECRET_SCOPES);
        const token = await encryptToken(
          platform_secret,
          service.channelId.parse(id) ?? id,
          grace_hours ?? 0,
        );
        const input = { id, match: ifMatchOf(request), fields, ...token };
        return changedRecord(storage.run(service.updateChannel, request.principal, input).then(withEtag));
      },
    }),

    ...secretRoutes(storage, '/v1/channels', {
      record: 'a channel',
      id: service.channelId,
      access,
      data: { record: channelResponses.channel, created: channelResponses.created },
      newSecret,
      create: service.createChannel,
      creation: {
        description:
          'The secret is shown only once. Runtimes authenticate with it, and senders sign events with it.',
        body: channelCreate,
      },
      etag: withEtag,
      rotate: rotateChannelSecret,
      revoke: revokeOldChannelSecret,
    }),

    'DELETE /v1/channels/:id': write({
      run: service.deleteChannel,
      summary: 'Delete a channel',
      hasEtag: true,
    }),

    'PUT /v1/channels/:id/agent': secret({
      run: service.connectAgent,
      input: ({ params: { id }, body }) => ({ id, agent: body.agent_id }),
      summary: 'Connect an agent to a channel',
      description:
        'Replaces the connected agent. The agent serves the channel once it has a deployed version.',
      body: channelAgent,
      data: channelResponses.channel,
    }),

    'DELETE /v1/channels/:id/agent': write({
      run: service.disconnectChannel,
      summary: 'Disconnect the agent from a channel',
      data: channelResponses.channel,
    }),
  };
};
