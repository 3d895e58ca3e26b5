import type { Storage } from './db/storage.ts';
import { agentRoutes } from './features/agents/agent.routes.ts';
import { deployRoutes } from './features/agents/deploy.routes.ts';
import { auditLogRoutes } from './features/audit-log/audit-log.routes.ts';
import { callRoutes } from './features/calls/call.routes.ts';
import { hookRoutes } from './features/calls/hook.routes.ts';
import { campaignRoutes } from './features/campaigns/campaign.routes.ts';
import { channelRoutes } from './features/channels/channel.routes.ts';
import { channelHooks } from './features/channels/hook.routes.ts';
import { conflictRoutes } from './features/contacts/conflict.routes.ts';
import { contactRoutes } from './features/contacts/contact.routes.ts';
import { selectionRoutes } from './features/contacts/selection.routes.ts';
import { figuresRoutes } from './features/figures/figures.routes.ts';
import { idempotency } from './features/idempotency/idempotency.routes.ts';
import { exportRoutes } from './features/imports/export.routes.ts';
import { importRoutes } from './features/imports/import.routes.ts';
import { integrationRoutes } from './features/integrations/integration.routes.ts';
import { accessRoutes } from './features/workspaces/access.routes.ts';
import { sessionRoutes } from './features/workspaces/session.routes.ts';
import { settingsRoutes } from './features/workspaces/settings.routes.ts';
import type { documentRoutes } from './http/openapi/document.routes.ts';
import type { DashboardFiles } from './http/pipeline/dashboard-files.ts';
import type { operatorRoutes } from './http/pipeline/operator.routes.ts';
import type { AnyRoute } from './http/pipeline/route.ts';
import type { BoundRoute } from './http/pipeline/router.ts';
import { streamLimits } from './http/pipeline/stream-limits.ts';
import type { Runner } from './jobs/runner.ts';
import type { Encryptor } from './lib/encryption.ts';
import { once } from './operations.ts';

type Binding = readonly [method: string, path: string, route: AnyRoute];

/** The public API, under `/v1` and `/api/v1`. Writes accept an `Idempotency-Key`. */
export const apiRoutes = (storage: Storage): readonly Binding[] => {
  const idempotent = idempotency(storage, once);
  const access = { read: 'read', write: 'write' } as const;
  const contacts = contactRoutes(idempotent.storage, { ...access, source: 'api' });
  const agents = agentRoutes(idempotent.storage, access);
  const bindings: readonly Binding[] = [
    ['GET', '/contacts', contacts.list],
    ['POST', '/contacts', contacts.create],
    ['GET', '/contacts/:id', contacts.get],
    ['PATCH', '/contacts/:id', contacts.update],
    ['DELETE', '/contacts/:id', contacts.delete],

    ['GET', '/agents', agents.list],
    ['POST', '/agents', agents.create],
    ['GET', '/agents/:id', agents.get],
    ['PATCH', '/agents/:id', agents.update],
    ['DELETE', '/agents/:id', agents.delete],
  ];
  return bindings.map(([method, path, route]) => [method, path, idempotent.route(method, path, route)]);
};

export interface DashboardOptions {
  readonly storage: Storage;
  /** The storage with admission control. Imports and exports do not use it: they run many operations and must not be
   *  rejected halfway. */
  readonly limitedStorage?: Storage;
  readonly encryptor: Encryptor;
  readonly runner: Pick<Runner, 'wake'>;
  readonly isStopping: () => boolean;
}

/** The API of the dashboard, under `/dashboard/api`, for signed-in users. */
export const dashboardRoutes = (options: DashboardOptions): readonly Binding[] => {
  const { encryptor, limitedStorage: storage = options.storage } = options;
  const access = { read: 'member', write: 'member' } as const;
  const session = sessionRoutes(storage);
  const settings = settingsRoutes(storage);
  const contacts = contactRoutes(storage, { ...access, source: 'manual' });
  const selections = selectionRoutes(storage);
  const conflicts = conflictRoutes(storage);
  const agents = agentRoutes(storage, access);
  const deploys = deployRoutes(storage);
  const channels = channelRoutes(storage, encryptor);
  const integrations = integrationRoutes(storage);
  const calls = callRoutes(storage);
  const campaigns = campaignRoutes(storage);
  const keysAndUsers = accessRoutes(storage);
  const figures = figuresRoutes(storage);
  const auditLog = auditLogRoutes(storage);
  const limits = streamLimits();
  const imports = importRoutes(options.storage, { ...options, limits });
  const exports = exportRoutes(options.storage, limits);
  return [
    ['POST', '/session', session.signIn],
    ['POST', '/session/link', session.signInByLink],
    ['GET', '/session', session.who],
    ['DELETE', '/session', session.signOut],
    ['PUT', '/session/password', session.changePassword],
    ['GET', '/figures', figures.home],
    ['GET', '/audit', auditLog.list],
    ['GET', '/settings', settings.get],
    ['PATCH', '/settings', settings.update],

    ['GET', '/contacts', contacts.filter],
    ['POST', '/contacts', contacts.create],
    ['GET', '/contacts/export', exports.contacts],
    ['GET', '/contacts/conflicts', conflicts.list],
    ['GET', '/contacts/:id', contacts.get],
    ['PATCH', '/contacts/:id', contacts.update],
    ['DELETE', '/contacts/:id', contacts.delete],
    ['GET', '/contacts/:id/enrollments', campaigns.ofContact],
    ['POST', '/contacts/selection/tags', selections.tag],
    ['POST', '/contacts/selection/delete', selections.delete],
    ['GET', '/tags', selections.tags],

    ['GET', '/agents', agents.list],
    ['POST', '/agents', agents.create],
    ['GET', '/agents/:id', agents.get],
    ['PATCH', '/agents/:id', agents.update],
    ['DELETE', '/agents/:id', agents.delete],
    ['GET', '/agents/:id/active', deploys.active],
    ['GET', '/agents/:id/deploys', deploys.deploys],
    ['GET', '/agents/:id/versions', deploys.versions],
    ['GET', '/agents/:id/versions/:version', deploys.version],
    ['GET', '/agents/:id/versions/:version/impact', campaigns.impact],
    ['POST', '/agents/:id/versions/:version/deploy', deploys.deploy],

    ['GET', '/deploys', deploys.recent],

    ['GET', '/channels', channels.list],
    ['POST', '/channels', channels.create],
    ['GET', '/channels/:id', channels.get],
    ['PATCH', '/channels/:id', channels.update],
    ['DELETE', '/channels/:id', channels.delete],
    ['POST', '/channels/:id/rotate-secret', channels.rotateSecret],
    ['DELETE', '/channels/:id/old-secret', channels.revokeOldSecret],
    ['PUT', '/channels/:id/agent', channels.connect],
    ['DELETE', '/channels/:id/agent', channels.disconnect],

    ['GET', '/calls', calls.list],
    ['GET', '/calls/:id', calls.get],

    ['GET', '/campaigns', campaigns.list],
    ['POST', '/campaigns', campaigns.create],
    ['GET', '/campaigns/:id', campaigns.get],
    ['PATCH', '/campaigns/:id', campaigns.update],
    ['GET', '/campaigns/:id/enrollments', campaigns.enrollments],
    ['POST', '/campaigns/:id/enrollments', campaigns.enroll],
    ['PATCH', '/campaigns/:id/enrollments/:contact', campaigns.updateEnrollment],
    ['DELETE', '/campaigns/:id/enrollments/:contact', campaigns.deleteEnrollment],

    ['POST', '/imports/columns', imports.columns],
    ['GET', '/imports', imports.list],
    ['POST', '/imports', imports.create],
    ['GET', '/imports/:id', imports.get],
    ['PATCH', '/imports/:id', imports.replan],
    ['DELETE', '/imports/:id', imports.delete],
    ['GET', '/imports/:id/rows', imports.rows],
    ['GET', '/imports/:id/report.csv', imports.report],
    ['GET', '/imports/:id/events', imports.events],
    ['POST', '/imports/:id/apply', imports.apply],
    ['POST', '/imports/:id/undo', imports.undo],

    ['GET', '/integrations', integrations.list],
    ['POST', '/integrations', integrations.create],
    ['GET', '/integrations/:id', integrations.get],
    ['DELETE', '/integrations/:id', integrations.delete],
    ['POST', '/integrations/:id/rotate-secret', integrations.rotateSecret],
    ['DELETE', '/integrations/:id/old-secret', integrations.revokeOldSecret],
    ['GET', '/keys', keysAndUsers.listKeys],
    ['POST', '/keys', keysAndUsers.createKey],
    ['GET', '/keys/:id', keysAndUsers.getKey],
    ['DELETE', '/keys/:id', keysAndUsers.revokeKey],
    ['GET', '/users', keysAndUsers.listUsers],
    ['POST', '/users', keysAndUsers.createUser],
    ['GET', '/users/:id', keysAndUsers.getUser],
    ['PATCH', '/users/:id', keysAndUsers.updateUser],
    ['DELETE', '/users/:id', keysAndUsers.deleteUser],
    ['POST', '/users/:id/link', keysAndUsers.linkUser],
  ];
};

export const under = (prefix: string, bindings: readonly Binding[]): BoundRoute[] =>
  bindings.map(([method, path, route]) => ({ method, path: prefix + path, route }));

/** Requests from phone providers and CRMs, under `/hooks`. */
const hookBindings = (storage: Storage, encryptor: Encryptor): readonly Binding[] => [
  ['GET', '/channels/:id/agent', channelHooks(storage).agent],
  ['POST', '/channels/:id/events', hookRoutes(storage, encryptor).events],
  ['POST', '/contacts/:id', integrationRoutes(storage).receive],
];

interface SiteRoutes {
  readonly pages: DashboardFiles;
  readonly documents: ReturnType<typeof documentRoutes>;
  readonly operator: ReturnType<typeof operatorRoutes>;
}

const siteBindings = ({ pages, documents, operator }: SiteRoutes): readonly Binding[] => [
  ['GET', '/', pages.home],
  ['GET', '/docs', documents.reference],
  ['GET', '/docs/', documents.reference],
  ['GET', '/openapi.json', documents.api],
  ['GET', '/dashboard/openapi.json', documents.dashboard],
  ['GET', '/healthz', operator.alive],
  ['GET', '/readyz', operator.ready],
  ['GET', '/metrics', operator.metrics],
];

/** Every route of the service. */
export const allRoutes = (options: Required<DashboardOptions> & SiteRoutes): BoundRoute[] => {
  const { limitedStorage, encryptor } = options;
  const api = apiRoutes(limitedStorage);
  return [
    ...under('/v1', api),
    ...under('/api/v1', api),
    ...under('/dashboard/api', dashboardRoutes(options)),
    ...under('/hooks', hookBindings(limitedStorage, encryptor)),
    ...under('', siteBindings(options)),
  ];
};
