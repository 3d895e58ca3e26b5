import type { Storage } from '../../db/storage.ts';
import { MAX_HOOK_BODY, routesOf } from '../../http/pipeline/route.ts';
import { channelId } from '../channels/channel.service.ts';
import type { ChannelPrincipal } from '../channels/hook.routes.ts';
import { hookAccess } from '../workspaces/access.ts';
import type { Principal } from '../workspaces/principal.ts';
import { sessionCreate, sessionResponse } from './session.schema.ts';
import { prepareSession, type SessionInput, startSession } from './session.service.ts';

const route = routesOf(hookAccess<ChannelPrincipal>('channel', 'channelSecret'));

/** Called by runtimes. */
export const sessionHooks = (storage: Storage) => {
  const start = async (principal: Principal, input: SessionInput) => {
    const prepared = await storage.run(prepareSession, principal, input);
    if (!prepared.isNew) return prepared;
    const { json, mustCreate, row, rendering } = prepared;
    const stored = await storage.run(startSession, principal, {
      // The agent may have changed since the channel was authenticated.
      input: { ...input, agent: row.agent_id },
      version: row.version_id,
      prepared: mustCreate ? undefined : { row, rendering },
    });
    return { ...stored, json: stored.json ?? json };
  };

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
        const { agent, address: near, ...who } = principal;
        const input = { ...body, channel: who.actor, agent, near };
        const { isNew, id, json } = await start(who, input);
        return {
          status: isNew ? 201 : 200,
          ...(isNew && { headers: { Location: `${path}/${id}` } }),
          body: `{"success":true,"data":${json}}`,
        };
      },
    }),
  };
};
