import type { Storage } from '../../db/storage.ts';
import { MAX_HOOK_BODY, routesOf } from '../../http/pipeline/route.ts';
import { channelId } from '../channels/channel.service.ts';
import type { ChannelPrincipal } from '../channels/known-channels.ts';
import { hookAccess } from '../workspaces/access.ts';
import { sessionCreate, sessionResponse } from './session.schema.ts';
import { type SessionParts, sessionStarter } from './session.start.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('session', 'channelSecret'));

/** Called by runtimes. */
export const sessionHooks = (storage: Storage, parts: SessionParts) => {
  const start = sessionStarter(storage, parts);
  return {
    'POST /hooks/channels/:id/sessions': route({
      operationId: 'startSession',
      summary: 'Start a conversation',
      description:
        "Returns what an agent needs to speak: the contact, the deployed version with its rendered instructions and its configuration, and the contact's last calls. An inbound call of an unknown number creates the contact. The same `provider_id` again returns the same session with 200.",
      params: { id: channelId.schema },
      body: sessionCreate,
      maxBody: MAX_HOOK_BODY,
      status: 200,
      data: sessionResponse,
      created: sessionResponse,
      errors: ['NOT_FOUND', 'CONFLICT'],
      handle: async ({ principal, body, path }) => {
        const { isNew, json } = await start(principal, body);
        return {
          status: isNew ? 201 : 200,
          // Sending the request there again returns the session.
          ...(isNew && { headers: { Location: path } }),
          body: `{"success":true,"data":${json}}`,
        };
      },
    }),
  };
};
