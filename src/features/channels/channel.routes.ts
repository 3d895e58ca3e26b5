import { randomBytes } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { created, deleted, ok, page, routesOf } from '../../http/pipeline/route.ts';
import { digest, type Encryptor } from '../../lib/encryption.ts';
import { invalid } from '../../lib/errors.ts';
import { withEtag } from '../../lib/etag.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { needs } from '../workspaces/access.ts';
import { rotationBody } from '../workspaces/grace-period.ts';
import {
  assertAddress,
  channelAgent,
  channelCreate,
  channelQuery,
  channelResponses,
  channelUpdate,
} from './channel.schema.ts';
import { revokeOldChannelSecret, rotateChannelSecret } from './channel.secrets.ts';
import {
  channelId,
  connectAgent,
  createChannel,
  deleteChannel,
  disconnectChannel,
  getChannel,
  listChannels,
  updateChannel,
} from './channel.service.ts';

const read = routesOf(needs('channels:read'));
const write = routesOf(needs('channels:write'));
/** The secret of a channel reads the instructions of its agent. */
const secret = routesOf(needs('channels:write', { also: ['agents:read'] }));

/** A secret in the form of Standard Webhooks; a runtime sends it as a bearer token too. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export const channelRoutes = (storage: Storage, encryptor: Encryptor) => {
  /** Undefined leaves the stored Twilio auth token unchanged; null removes it. */
  const encryptToken = async (token: string | null | undefined, id: string, graceHours: number) => {
    if (token === undefined) return {};
    if (token === null) return { token: { encrypted: null, graceHours } };
    const { check, encrypt } = await encryptor.current();
    return { token: { encrypted: encrypt(token, id), check, graceHours } };
  };
  return {
    'GET /v1/channels': read({
      operationId: 'listChannels',
      summary: 'List channels',
      description: 'Newest first.',
      query: channelQuery,
      data: channelResponses.channel,
      list: true,
      handle: ({ principal, query }) =>
        page(pageRequestOf(query), storage.run(listChannels, principal, query)),
    }),

    'POST /v1/channels': secret({
      operationId: 'createChannel',
      summary: 'Create a channel',
      description:
        'The secret is shown only once. Runtimes authenticate with it, and senders sign events with it.',
      body: channelCreate,
      returnsSecret: true,
      data: channelResponses.created,
      hasEtag: true,
      handle: async (request) => {
        const { kind, name, address, twilio_auth_token: token = null } = request.body;
        assertAddress(kind, address);
        const id = channelId.create();
        const secret = newSecret();
        const { check, encrypt } = await encryptor.current();
        const made = storage.run(createChannel, request.principal, {
          id,
          kind,
          name,
          address,
          secret_hash: digest(secret),
          secret_sealed: encrypt(secret, id),
          token_sealed: token === null ? null : encrypt(token, id),
          check,
        });
        return created(
          request,
          made.then((channel) => ({
            ...withEtag(channel),
            id,
            json: JSON.stringify({ ...channel, secret }),
          })),
        );
      },
    }),

    'GET /v1/channels/:id': read({
      operationId: 'getChannel',
      summary: 'Get a channel',
      data: channelResponses.channel,
      hasEtag: true,
      handle: (request) =>
        recordWithEtag(
          request,
          chain(storage.run(getChannel, request.principal, { id: request.params.id }), withEtag),
        ),
    }),

    'PATCH /v1/channels/:id': write({
      operationId: 'updateChannel',
      summary: 'Update a channel',
      description:
        'A new Twilio auth token is accepted immediately. The old one stays valid for `grace_hours`, by default 0.',
      body: channelUpdate,
      data: channelResponses.channel,
      hasEtag: true,
      handle: async (request) => {
        const { id } = request.params;
        const { twilio_auth_token, grace_hours, ...fields } = request.body;
        if (grace_hours !== undefined && !twilio_auth_token)
          throw invalid([{ field: 'grace_hours', message: 'must be sent together with twilio_auth_token.' }]);
        const token = await encryptToken(twilio_auth_token, channelId.parse(id) ?? id, grace_hours ?? 0);
        const input = { id, match: ifMatchOf(request), fields, ...token };
        return changedRecord(storage.run(updateChannel, request.principal, input).then(withEtag));
      },
    }),

    'POST /v1/channels/:id/rotate-secret': secret({
      operationId: 'rotateChannelSecret',
      summary: 'Rotate the secret of a channel',
      description:
        'The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately.',
      body: rotationBody,
      bodyOptional: true,
      returnsSecret: true,
      status: 200,
      data: channelResponses.created,
      errors: ['CONFLICT'],
      handle: async ({ principal, params: { id }, body }) => {
        const secret = newSecret();
        const { check, encrypt } = await encryptor.current();
        const encrypted = encrypt(secret, channelId.parse(id) ?? id);
        const input = { ...body, id, secret_hash: digest(secret), secret_sealed: encrypted, check };
        const rotated = storage.run(rotateChannelSecret, principal, input);
        return ok(rotated.then((channel) => ({ ...channel, secret })));
      },
    }),

    'DELETE /v1/channels/:id/old-secret': write({
      operationId: 'revokeOldChannelSecret',
      summary: 'Revoke the old secret of a channel',
      description: 'Ends the grace periods of the old secret and the old Twilio auth token.',
      data: channelResponses.channel,
      handle: ({ principal, params: { id } }) => ok(storage.run(revokeOldChannelSecret, principal, { id })),
    }),

    'DELETE /v1/channels/:id': write({
      operationId: 'deleteChannel',
      summary: 'Delete a channel',
      hasEtag: true,
      handle: (request) => {
        const key = { id: request.params.id, match: ifMatchOf(request) };
        return deleted(storage.run(deleteChannel, request.principal, key));
      },
    }),

    'PUT /v1/channels/:id/agent': secret({
      operationId: 'connectAgent',
      summary: 'Connect an agent to a channel',
      description:
        'Replaces the connected agent. The agent serves the channel once it has a deployed version.',
      body: channelAgent,
      data: channelResponses.channel,
      handle: ({ principal, params: { id }, body: { agent_id: agent } }) =>
        ok(storage.run(connectAgent, principal, { id, agent })),
    }),

    'DELETE /v1/channels/:id/agent': write({
      operationId: 'disconnectAgent',
      summary: 'Disconnect the agent from a channel',
      data: channelResponses.channel,
      handle: ({ principal, params: { id } }) => ok(storage.run(disconnectChannel, principal, { id })),
    }),
  };
};
