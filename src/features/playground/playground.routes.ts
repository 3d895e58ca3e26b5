import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import type { StreamLimits } from '../../http/pipeline/stream-limits.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { invalidField } from '../../lib/errors.ts';
import { versionKey, versionParams } from '../agents/agent.schema.ts';
import { renderVersion } from '../agents/render.version.ts';
import type { WebhookControl } from '../webhooks/webhook.routes.ts';
import { member, owner } from '../workspaces/access.ts';
import { chatRequest, modelUrlProblem, replyOf } from './chat.ts';
import {
  chatModelId,
  deleteChatModel,
  getChatModel,
  requireChatModel,
  setChatModel,
} from './chat-model.service.ts';
import { chatBody, chatModelBody, chatModelResponse, chatResponse } from './playground.schema.ts';

interface PlaygroundOptions {
  readonly encryptor: Encryptor;
  readonly webhooks: WebhookControl;
  readonly limits: StreamLimits;
}

/** A chat with a version, at an endpoint of the workspace's own. */
export const playgroundRoutes = (storage: Storage, { encryptor, webhooks, limits }: PlaygroundOptions) => {
  const forMembers = routesOf(member);
  const forOwners = routesOf(owner);

  const encrypted = async (key: string, id: string) => {
    const { check, encrypt } = await encryptor.current();
    return { sealed: encrypt(key, id), check };
  };

  return {
    'GET /dashboard/api/chat-model': forMembers({
      run: getChatModel,
      summary: 'Get the chat model',
      description: 'Where the chats of the playground are sent to.',
      data: chatModelResponse,
    }),

    'PUT /dashboard/api/chat-model': forOwners({
      operationId: 'setChatModel',
      summary: 'Set the chat model',
      description: 'Its host must be public, as for webhooks, or allowed by the operator.',
      body: chatModelBody,
      data: chatModelResponse,
      handle: async ({ principal, body: { api_key, ...fields } }) => {
        const problem = modelUrlProblem(fields.url, webhooks.rules);
        if (problem) throw invalidField('url', problem);
        const id = chatModelId.create();
        const key = typeof api_key === 'string' ? await encrypted(api_key, id) : api_key;
        return ok(storage.run(setChatModel, principal, { ...fields, id, ...(key !== undefined && { key }) }));
      },
    }),

    'DELETE /dashboard/api/chat-model': forOwners({
      run: deleteChatModel,
      summary: 'Turn chats off',
      description: 'Deletes the chat model and its key.',
    }),

    'POST /dashboard/api/agents/:id/versions/:version/chat': forMembers({
      operationId: 'chatWithVersion',
      summary: 'Chat with a version',
      description:
        'Sends the rendered instructions, as the system message, and the messages to the chat model of the workspace, and returns its reply. Nothing is stored. A model that fails is a response with an `error`.',
      params: versionParams,
      body: chatBody,
      status: 200,
      data: chatResponse,
      errors: ['CONFLICT', 'RATE_LIMITED'],
      handle: async ({ principal, params, body: { history = [], message, ...input } }) => {
        const model = await storage.run(requireChatModel, principal, null);
        const rendered = await storage.run(renderVersion, principal, { ...input, ...versionKey({ params }) });
        const { text } = JSON.parse(rendered.json) as { text: string };
        const key = model.key_sealed === null ? undefined : encryptor.decrypt(model.key_sealed, model.id);
        const messages = [{ role: 'system', content: text }, ...history, { role: 'user', content: message }];
        const request = chatRequest(model, key, messages);
        const release = await limits.chats(principal);
        try {
          return ok(replyOf(await webhooks.post(request), key));
        } finally {
          release();
        }
      },
    }),
  };
};
