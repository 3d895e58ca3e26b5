import { randomBytes } from 'node:crypto';
import { secretGuard } from '../http/credentials.ts';
import { created, deleted, deletedAnswer, MAX_HOOK_BODY, record, route } from '../http/route.ts';
import { only } from '../kernel/page.ts';
import { digest, isSameSecret } from '../kernel/seal.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import {
  type IntegrationCreate,
  integrationAnswers,
  integrationCreate,
  type WebhookContact,
  webhookContact,
} from './integration.schema.ts';
import {
  createIntegration,
  deleteIntegration,
  findHookIntegration,
  integrationId,
  listIntegrations,
  receiveContact,
} from './integration.service.ts';

const group = 'Integrations';

export const integrationGuard = (storage: Storage) =>
  secretGuard<Principal>(async (id, secret) => {
    const integration = await storage.read(findHookIntegration, null, { id });
    if (!isSameSecret(secret, integration?.secret_hash) || !integration) return undefined;
    return { workspace: integration.workspace_id, actor: integration.id };
  });

export const integrationRoutes = (storage: Storage) => ({
  list: route<Principal>({
    access: 'owner',
    document: {
      group,
      summary: 'List integrations',
      data: { type: 'array', items: integrationAnswers.integration },
      errors: [],
    },
    handle: ({ principal }) => record(storage.scan(listIntegrations, principal, null)),
  }),

  create: route<Principal, unknown, IntegrationCreate>({
    access: 'owner',
    body: integrationCreate,
    document: {
      group,
      summary: 'Create an integration',
      description: 'The secret is shown only now.',
      data: integrationAnswers.created,
      errors: ['VALIDATION_ERROR'],
    },
    handle: (call) => {
      const secret = `rint_${randomBytes(24).toString('base64url')}`;
      const wanted = { id: integrationId.create(), name: call.body.name, secret_hash: digest(secret) };
      const made = storage.write(createIntegration, call.principal, wanted);
      return created(
        call,
        made.then((integration) => ({ ...integration, secret })),
      );
    },
  }),

  get: route<Principal>({
    access: 'owner',
    document: {
      group,
      summary: 'Get an integration',
      params: { id: 'The id of the integration.' },
      data: integrationAnswers.integration,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) =>
      record(only('integration', id, storage.scan(listIntegrations, principal, null))),
  }),

  delete: route<Principal>({
    access: 'owner',
    document: {
      group,
      summary: 'Delete an integration',
      params: { id: 'The id of the integration.' },
      data: deletedAnswer,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => deleted(storage.write(deleteIntegration, principal, { id })),
  }),

  /** What an integration calls itself. */
  receive: route<Principal, unknown, WebhookContact>({
    access: 'integration',
    body: webhookContact,
    maxBody: MAX_HOOK_BODY,
    handle: async ({ principal, body }) => {
      const { action, id, wire } = await storage.write(receiveContact, principal, body);
      return {
        status: action === 'created' ? 201 : 200,
        ...(action === 'created' && { headers: { Location: `/v1/contacts/${id}` } }),
        body: `{"success":true,"data":{"action":"${action}","contact":${wire}}}`,
      };
    },
  }),
});
