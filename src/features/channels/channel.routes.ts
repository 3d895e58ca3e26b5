import { randomBytes } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { created, deleted, deletedSchema, ok, page, route } from '../../http/pipeline/route.ts';
import { digest, type Encryptor } from '../../lib/encryption.ts';
import { invalid } from '../../lib/errors.ts';
import { withEtag } from '../../lib/etag.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { needs } from '../workspaces/access.ts';
import { type RotationBody, rotationBody } from '../workspaces/grace-period.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  assertAddress,
  type ChannelCreate,
  type ChannelQuery,
  type ChannelUpdate,
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

const access = {
  read: needs('channels:read'),
  write: needs('channels:write'),
  /** The secret of a channel reads the instructions of its agent. */
  secret: needs('channels:write', { also: ['agents:read'] }),
};

const group = 'Channels';
const params = { id: channelId.schema };

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
    list: route<Principal, ChannelQuery>({
      access: access.read,
      query: channelQuery,
      document: {
        group,
        operationId: 'listChannels',
        summary: 'List channels',
        description: 'Newest first.',
        data: channelResponses.channel,
        list: true,
        errors: ['VALIDATION_ERROR'],
      },
      handle: ({ principal, query }) =>
        page(pageRequestOf(query), storage.run(listChannels, principal, query)),
    }),

    create: route<Principal, unknown, ChannelCreate>({
      access: access.secret,
      body: channelCreate,
      returnsSecret: true,
      document: {
        group,
        operationId: 'createChannel',
        summary: 'Create a channel',
        description:
          'The secret is shown only once. Runtimes authenticate with it, and senders sign events with it.',
        data: channelResponses.created,
        hasEtag: true,
        errors: ['VALIDATION_ERROR'],
      },
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

    get: route<Principal>({
      access: access.read,
      document: {
        group,
        operationId: 'getChannel',
        summary: 'Get a channel',
        params,
        data: channelResponses.channel,
        hasEtag: true,
        errors: ['NOT_FOUND'],
      },
      handle: (request) =>
        recordWithEtag(
          request,
          chain(storage.run(getChannel, request.principal, { id: request.params.id }), withEtag),
        ),
    }),

    update: route<Principal, unknown, ChannelUpdate>({
      access: access.write,
      body: channelUpdate,
      document: {
        group,
        operationId: 'updateChannel',
        summary: 'Update a channel',
        description:
          'A new Twilio auth token is accepted immediately. The old one stays valid for `grace_hours`, by default 0.',
        params,
        data: channelResponses.channel,
        hasEtag: true,
        errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
      },
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

    rotateSecret: route<Principal, unknown, RotationBody>({
      access: access.secret,
      body: rotationBody,
      bodyOptional: true,
      returnsSecret: true,
      document: {
        group,
        operationId: 'rotateChannelSecret',
        summary: 'Rotate the secret of a channel',
        description:
          'The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately.',
        params,
        status: 200,
        data: channelResponses.created,
        errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
      },
      handle: async ({ principal, params: { id }, body }) => {
        const secret = newSecret();
        const { check, encrypt } = await encryptor.current();
        const encrypted = encrypt(secret, channelId.parse(id) ?? id);
        const input = { ...body, id, secret_hash: digest(secret), secret_sealed: encrypted, check };
        const rotated = storage.run(rotateChannelSecret, principal, input);
        return ok(rotated.then((channel) => ({ ...channel, secret })));
      },
    }),

    revokeOldSecret: route<Principal>({
      access: access.write,
      document: {
        group,
        operationId: 'revokeOldChannelSecret',
        summary: 'Revoke the old secret of a channel',
        description: 'Ends the grace periods of the old secret and the old Twilio auth token.',
        params,
        data: channelResponses.channel,
        errors: ['NOT_FOUND'],
      },
      handle: ({ principal, params: { id } }) => ok(storage.run(revokeOldChannelSecret, principal, { id })),
    }),

    delete: route<Principal>({
      access: access.write,
      document: {
        group,
        operationId: 'deleteChannel',
        summary: 'Delete a channel',
        params,
        data: deletedSchema,
        hasEtag: true,
        errors: ['NOT_FOUND'],
      },
      handle: (request) => {
        const key = { id: request.params.id, match: ifMatchOf(request) };
        return deleted(storage.run(deleteChannel, request.principal, key));
      },
    }),

    connect: route<Principal, unknown, ReturnType<typeof channelAgent.read>>({
      access: access.secret,
      body: channelAgent,
      document: {
        group,
        operationId: 'connectAgent',
        summary: 'Connect an agent to a channel',
        description:
          'Replaces the connected agent. The agent serves the channel once it has a deployed version.',
        params,
        data: channelResponses.channel,
        errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
      },
      handle: ({ principal, params: { id }, body: { agent_id: agent } }) =>
        ok(storage.run(connectAgent, principal, { id, agent })),
    }),

    disconnect: route<Principal>({
      access: access.write,
      document: {
        group,
        operationId: 'disconnectAgent',
        summary: 'Disconnect the agent from a channel',
        params,
        data: channelResponses.channel,
        errors: ['NOT_FOUND'],
      },
      handle: ({ principal, params: { id } }) => ok(storage.run(disconnectChannel, principal, { id })),
    }),
  };
};
