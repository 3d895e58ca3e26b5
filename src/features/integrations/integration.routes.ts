import { randomBytes } from 'node:crypto';
import type { Storage } from '../../db/storage.ts';
import { MAX_HOOK_BODY, routesOf } from '../../http/pipeline/route.ts';
import { digest, isSameSecret } from '../../lib/encryption.ts';
import { unauthorized } from '../../lib/errors.ts';
import * as s from '../../lib/schemas.ts';
import { hookAccess, needs, owner } from '../workspaces/access.ts';
import { acceptedSecrets } from '../workspaces/grace-period.ts';
import type { Principal } from '../workspaces/principal.ts';
import { secretGuard } from '../workspaces/secret.guard.ts';
import { secretRoutes } from '../workspaces/secret.routes.ts';
import { type IntegrationHealth, listIntegrationHealth } from './integration.health.ts';
import {
  integrationCreate,
  integrationResponses,
  integrationUpdate,
  webhookContact,
} from './integration.schema.ts';
import * as service from './integration.service.ts';

const access = needs('admin');
const route = routesOf(access);
const forOwners = routesOf(owner);
const hook = routesOf(hookAccess('integration', 'integrationSecret'));
/** The secret of an integration reads and writes any contact by its number. */
const secretAccess = needs('admin', { also: ['contacts:read', 'contacts:write'] });

const newSecret = async () => {
  const secret = `rint_${randomBytes(24).toString('base64url')}`;
  return { secret, stored: { secret_hash: digest(secret) } };
};

export const integrationGuard = (storage: Storage, health?: IntegrationHealth) =>
  secretGuard<Principal>(async (id, secret) => {
    const integration = await storage.run(service.findHookIntegration, null, { id });
    const hashes = integration ? acceptedSecrets(integration, 'secret_hash') : [undefined];
    const isAccepted = hashes.some((hash) => isSameSecret(secret, hash));
    if (!integration) return undefined;
    const principal = { workspace: integration.workspace_id, actor: integration.id };
    if (isAccepted) return principal;
    health?.note(principal, unauthorized());
    return undefined;
  });

export const integrationRoutes = (storage: Storage, health?: IntegrationHealth) => ({
  'GET /v1/integrations': route({
    run: service.listIntegrations,
    summary: 'List integrations',
    data: s.list(integrationResponses.integration),
  }),

  'GET /v1/integrations/:id': route({
    run: service.getIntegration,
    summary: 'Get an integration',
    data: integrationResponses.integration,
  }),

  'GET /dashboard/api/integrations/health': forOwners({
    run: listIntegrationHealth,
    summary: 'Get the last delivery and errors of every integration',
    description: 'Updated every 5 seconds.',
    data: s.list(integrationResponses.health),
  }),

  'PATCH /v1/integrations/:id': route({
    run: service.updateIntegration,
    summary: 'Rename an integration',
    body: integrationUpdate,
    data: integrationResponses.integration,
  }),

  ...secretRoutes(storage, '/v1/integrations', {
    record: 'an integration',
    id: service.integrationId,
    access: { write: access, secret: secretAccess },
    data: { record: integrationResponses.integration, created: integrationResponses.created },
    newSecret,
    create: service.createIntegration,
    creation: { description: 'The secret is shown only once.', body: integrationCreate },
    rotate: service.rotateIntegrationSecret,
    revoke: service.revokeOldIntegrationSecret,
  }),

  'DELETE /v1/integrations/:id': route({
    run: service.deleteIntegration,
    summary: 'Delete an integration',
  }),

  /** Called by the CRM. */
  'POST /hooks/contacts/:id': hook({
    operationId: 'receiveContact',
    summary: 'Create or update a contact from a CRM',
    description:
      'The contact is identified by its phone number. Fields in the request change, omitted fields stay.',
    body: webhookContact,
    maxBody: MAX_HOOK_BODY,
    params: { id: service.integrationId.schema },
    status: 200,
    data: integrationResponses.received,
    created: integrationResponses.received,
    observe: (principal, failure) => health?.note(principal, failure),
    handle: async ({ principal, body }) => {
      const { action, id, json } = await storage.run(service.receiveContact, principal, body);
      return {
        status: action === 'created' ? 201 : 200,
        ...(action === 'created' && { headers: { Location: `/v1/contacts/${id}` } }),
        body: `{"success":true,"data":{"action":"${action}","contact":${json}}}`,
      };
    },
  }),
});
