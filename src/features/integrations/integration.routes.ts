import { randomBytes } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import { created, deleted, deletedSchema, MAX_HOOK_BODY, ok, route } from '../../http/pipeline/route.ts';
import { digest, isSameSecret } from '../../lib/encryption.ts';
import { unauthorized } from '../../lib/errors.ts';
import { findById } from '../../lib/page.ts';
import { hookAccess, needs, owner } from '../workspaces/access.ts';
import { type RotationBody, rotationBody } from '../workspaces/grace-period.ts';
import type { Principal } from '../workspaces/principal.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { type IntegrationHealth, listIntegrationHealth } from './integration.health.ts';
import {
  type IntegrationCreate,
  type IntegrationUpdate,
  integrationCreate,
  integrationResponses,
  integrationUpdate,
  type WebhookContact,
  webhookContact,
} from './integration.schema.ts';
import {
  acceptedHashes,
  createIntegration,
  deleteIntegration,
  findHookIntegration,
  integrationId,
  listIntegrations,
  receiveContact,
  renameIntegration,
  revokeOldIntegrationSecret,
  rotateIntegrationSecret,
} from './integration.service.ts';

const access = needs('admin');
/** The secret of an integration reads and writes any contact by its number. */
const secretAccess = needs('admin', { also: ['contacts:read', 'contacts:write'] });

const group = 'Integrations';

const newSecret = () => `rint_${randomBytes(24).toString('base64url')}`;

export const integrationGuard = (storage: Storage, health?: IntegrationHealth) =>
  secretGuard<Principal>(async (id, secret) => {
    const integration = await storage.run(findHookIntegration, null, { id });
    const hashes = integration ? acceptedHashes(integration) : [undefined];
    const isAccepted = hashes.some((hash) => isSameSecret(secret, hash));
    if (!integration) return undefined;
    const principal = { workspace: integration.workspace_id, actor: integration.id };
    if (isAccepted) return principal;
    health?.note(principal, unauthorized());
    return undefined;
  });

export const integrationRoutes = (storage: Storage, health?: IntegrationHealth) => ({
  list: route<Principal>({
    access,
    document: {
      group,
      operationId: 'listIntegrations',
      summary: 'List integrations',
      data: { type: 'array', items: integrationResponses.integration },
      errors: [],
    },
    handle: ({ principal }) => ok(storage.run(listIntegrations, principal, null)),
  }),

  create: route<Principal, unknown, IntegrationCreate>({
    access: secretAccess,
    body: integrationCreate,
    returnsSecret: true,
    document: {
      group,
      operationId: 'createIntegration',
      summary: 'Create an integration',
      description: 'The secret is shown only once.',
      data: integrationResponses.created,
      errors: ['VALIDATION_ERROR'],
    },
    handle: (request) => {
      const secret = newSecret();
      const input = { id: integrationId.create(), name: request.body.name, secret_hash: digest(secret) };
      const made = storage.run(createIntegration, request.principal, input);
      return created(
        request,
        made.then((integration) => ({ ...integration, secret })),
      );
    },
  }),

  get: route<Principal>({
    access,
    document: {
      group,
      operationId: 'getIntegration',
      summary: 'Get an integration',
      params: { id: integrationId.schema },
      data: integrationResponses.integration,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) =>
      ok(
        findById(
          'integration',
          integrationId.parse(id) ?? id,
          storage.run(listIntegrations, principal, null),
        ),
      ),
  }),

  health: route<Principal>({
    access: owner,
    document: {
      group,
      operationId: 'listIntegrationHealth',
      summary: 'Get the last delivery and errors of every integration',
      description: 'Updated every 5 seconds.',
      data: { type: 'array', items: integrationResponses.health },
      errors: [],
    },
    handle: ({ principal }) => ok(storage.run(listIntegrationHealth, principal, null)),
  }),

  update: route<Principal, unknown, IntegrationUpdate>({
    access,
    body: integrationUpdate,
    document: {
      group,
      operationId: 'updateIntegration',
      summary: 'Rename an integration',
      params: { id: integrationId.schema },
      data: integrationResponses.integration,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, body: { name } }) =>
      ok(storage.run(renameIntegration, principal, { id, name })),
  }),

  rotateSecret: route<Principal, unknown, RotationBody>({
    access: secretAccess,
    body: rotationBody,
    bodyOptional: true,
    returnsSecret: true,
    document: {
      group,
      operationId: 'rotateIntegrationSecret',
      summary: 'Rotate the secret of an integration',
      description:
        'The new secret is shown only once. The old one stays valid for `grace_hours`, by default 24; 0 revokes it immediately.',
      params: { id: integrationId.schema },
      status: 200,
      data: integrationResponses.created,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: ({ principal, params: { id }, body }) => {
      const secret = newSecret();
      const input = { ...body, id, secret_hash: digest(secret) };
      const rotated = storage.run(rotateIntegrationSecret, principal, input);
      return ok(rotated.then((integration) => ({ ...integration, secret })));
    },
  }),

  revokeOldSecret: route<Principal>({
    access,
    document: {
      group,
      operationId: 'revokeOldIntegrationSecret',
      summary: 'Revoke the old secret of an integration',
      description: 'Ends the grace period of the old secret.',
      params: { id: integrationId.schema },
      data: integrationResponses.integration,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => ok(storage.run(revokeOldIntegrationSecret, principal, { id })),
  }),

  delete: route<Principal>({
    access,
    document: {
      group,
      operationId: 'deleteIntegration',
      summary: 'Delete an integration',
      params: { id: integrationId.schema },
      data: deletedSchema,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => deleted(storage.run(deleteIntegration, principal, { id })),
  }),

  /** Called by the CRM. */
  receive: route<Principal, unknown, WebhookContact>({
    access: hookAccess('integration', 'integrationSecret'),
    body: webhookContact,
    maxBody: MAX_HOOK_BODY,
    document: {
      group: 'Hooks',
      operationId: 'receiveContact',
      summary: 'Create or update a contact from a CRM',
      description:
        'The contact is identified by its phone number. Fields in the request change, omitted fields stay.',
      params: { id: integrationId.schema },
      status: 200,
      data: integrationResponses.received,
      created: integrationResponses.received,
      errors: ['VALIDATION_ERROR', 'CONFLICT'],
    },
    observe: (principal, failure) => health?.note(principal, failure),
    handle: async ({ principal, body }) => {
      const { action, id, json } = await storage.run(receiveContact, principal, body);
      return {
        status: action === 'created' ? 201 : 200,
        ...(action === 'created' && { headers: { Location: `/v1/contacts/${id}` } }),
        body: `{"success":true,"data":{"action":"${action}","contact":${json}}}`,
      };
    },
  }),
});
