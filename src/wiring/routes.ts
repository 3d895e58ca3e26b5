import type { Storage } from '../db/storage.ts';
import { agentRoutes } from '../features/agents/agent.routes.ts';
import { deployRoutes } from '../features/agents/deploy.routes.ts';
import { versionRoutes } from '../features/agents/version.routes.ts';
import { auditLogRoutes } from '../features/audit-log/audit-log.routes.ts';
import { bulkRoutes } from '../features/bulk/bulk.routes.ts';
import { callRoutes } from '../features/calls/call.routes.ts';
import { callStatisticsRoutes } from '../features/calls/call-statistics.routes.ts';
import { callExportRoutes } from '../features/calls/export.routes.ts';
import { callHooks } from '../features/calls/hook.routes.ts';
import { campaignRoutes } from '../features/campaigns/campaign.routes.ts';
import { claimRoutes } from '../features/campaigns/claim.routes.ts';
import { scheduleRoutes } from '../features/campaigns/schedule.routes.ts';
import { channelRoutes } from '../features/channels/channel.routes.ts';
import { channelHooks } from '../features/channels/hook.routes.ts';
import { batchRoutes } from '../features/contacts/batch.routes.ts';
import { byPhoneRoutes } from '../features/contacts/by-phone.routes.ts';
import { conflictRoutes } from '../features/contacts/conflict.routes.ts';
import { contactRoutes } from '../features/contacts/contact.routes.ts';
import { tagRoutes } from '../features/contacts/tag.routes.ts';
import { eventRoutes } from '../features/events/event.routes.ts';
import { figuresRoutes } from '../features/figures/figures.routes.ts';
import { idempotency } from '../features/idempotency/idempotency.routes.ts';
import type { KeyLocks } from '../features/idempotency/key-locks.ts';
import { exportRoutes } from '../features/imports/export.routes.ts';
import { importRoutes } from '../features/imports/import.routes.ts';
import type { IntegrationHealth } from '../features/integrations/integration.health.ts';
import { integrationRoutes } from '../features/integrations/integration.routes.ts';
import { mcpRoutes } from '../features/mcp/mcp.routes.ts';
import { noticeRoutes } from '../features/notices/notice.routes.ts';
import { timelineRoutes } from '../features/timeline/timeline.routes.ts';
import { viewRoutes } from '../features/views/view.routes.ts';
import { type WebhookControl, webhookRoutes } from '../features/webhooks/webhook.routes.ts';
import { accessRoutes, keyDetailsRoute } from '../features/workspaces/access.routes.ts';
import { sessionRoutes } from '../features/workspaces/session.routes.ts';
import { settingsRoutes } from '../features/workspaces/settings.routes.ts';
import type { documentRoutes } from '../http/openapi/document.routes.ts';
import type { DashboardFiles } from '../http/pipeline/dashboard-files.ts';
import type { operatorRoutes } from '../http/pipeline/operator.routes.ts';
import type { AnyRoute } from '../http/pipeline/route.ts';
import type { BoundRoute } from '../http/pipeline/router.ts';
import { type StreamLimits, streamLimits } from '../http/pipeline/stream-limits.ts';
import type { Runner } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import { version } from '../lib/version.ts';
import { once } from './operations.ts';

type Binding = readonly [method: string, path: string, route: AnyRoute];

export interface RouteOptions {
  readonly storage: Storage;
  /** The storage with admission control. Imports and exports do not use it: they run many operations and must not be
   *  rejected halfway. */
  readonly limitedStorage?: Storage;
  readonly encryptor: Encryptor;
  readonly runner: Pick<Runner, 'wake'>;
  readonly isStopping: () => boolean;
  readonly keyLocks: KeyLocks;
  /** How many bytes the rows of a workspace's imports may take. */
  readonly importQuota: number;
  readonly webhooks: WebhookControl;
  readonly integrationHealth?: IntegrationHealth;
  /** Shared by all prefixes. */
  readonly limits?: StreamLimits;
}

/** The routes of the service by their prefix. Each is created once. */
export const routeTables = (options: RouteOptions) => {
  const { encryptor, keyLocks, limitedStorage = options.storage } = options;
  const { limits = streamLimits(keyLocks) } = options;
  const idempotent = idempotency(limitedStorage, once, keyLocks);
  const { storage } = idempotent;
  const agents = agentRoutes(storage);
  const auditLog = auditLogRoutes(storage);
  const batches = batchRoutes(storage);
  const bulkJobs = bulkRoutes(storage, { ...options, limits });
  const byPhone = byPhoneRoutes(storage);
  const callExports = callExportRoutes(options.storage, limits);
  const callStatistics = callStatisticsRoutes(storage);
  const calls = callRoutes(storage);
  const campaigns = campaignRoutes(storage);
  const channels = channelRoutes(storage, encryptor);
  const claims = claimRoutes(storage);
  const conflicts = conflictRoutes(storage);
  const contacts = contactRoutes(storage);
  const deploys = deployRoutes(storage);
  const events = eventRoutes(limitedStorage, { ...options, limits });
  const exports = exportRoutes(options.storage, limits);
  const imports = importRoutes(idempotency(options.storage, once, keyLocks).storage, { ...options, limits });
  const integrations = integrationRoutes(storage, options.integrationHealth);
  const keysAndUsers = accessRoutes(storage);
  const notices = noticeRoutes(limitedStorage);
  const schedules = scheduleRoutes(storage);
  const tags = tagRoutes(storage);
  const session = sessionRoutes(limitedStorage);
  const settings = settingsRoutes(storage);
  const timelines = timelineRoutes(storage);
  const versions = versionRoutes(storage);
  const views = viewRoutes(limitedStorage);
  const webhooks = webhookRoutes(storage, options);

  const api: readonly Binding[] = [
    ['GET', '/contacts', contacts.list],
    ['POST', '/contacts', contacts.create],
    ['GET', '/contacts/export', exports.contacts],
    ['GET', '/contacts/conflicts', conflicts.list],
    ['GET', '/contacts/:id', contacts.get],
    ['PATCH', '/contacts/:id', contacts.update],
    ['DELETE', '/contacts/:id', contacts.delete],

    ['GET', '/tags', tags.list],

    ['GET', '/bulk-jobs', bulkJobs.list],
    ['POST', '/bulk-jobs', bulkJobs.create],
    ['GET', '/bulk-jobs/:id', bulkJobs.get],
    ['POST', '/bulk-jobs/:id/cancel', bulkJobs.cancel],
    ['GET', '/bulk-jobs/:id/export', bulkJobs.export],

    ['GET', '/agents', agents.list],
    ['POST', '/agents', agents.create],
    ['GET', '/agents/:id', agents.get],
    ['PATCH', '/agents/:id', agents.update],
    ['DELETE', '/agents/:id', agents.delete],
    ['POST', '/agents/:id/duplicate', agents.duplicate],
    ['GET', '/agents/:id/active', deploys.active],
    ['GET', '/agents/:id/deploys', deploys.deploys],
    ['GET', '/agents/:id/origins', versions.origins],
    ['GET', '/agents/:id/versions', deploys.versions],
    ['GET', '/agents/:id/versions/:version', deploys.version],
    ['GET', '/agents/:id/versions/:version/origin', versions.origin],
    ['GET', '/agents/:id/versions/:version/deploys', versions.deploys],
    ['GET', '/agents/:id/versions/:version/outcomes', calls.outcomes],
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
    ['GET', '/calls/export', callExports.calls],
    ['GET', '/calls/statistics', callStatistics.get],
    ['GET', '/calls/:id', calls.get],

    ['GET', '/contacts/:id/enrollments', campaigns.ofContact],
    ['GET', '/contacts/:id/timeline', timelines.list],
    ['GET', '/campaigns', campaigns.list],
    ['POST', '/campaigns', campaigns.create],
    ['GET', '/campaigns/:id', campaigns.get],
    ['PATCH', '/campaigns/:id', campaigns.update],
    ['DELETE', '/campaigns/:id', campaigns.delete],
    ['GET', '/campaigns/:id/enrollments', campaigns.enrollments],
    ['POST', '/campaigns/:id/duplicate', campaigns.duplicate],
    ['GET', '/campaigns/:id/progress', campaigns.progress],
    ['GET', '/campaigns/:id/start-check', campaigns.startCheck],
    ['GET', '/campaigns/:id/schedule', schedules.get],
    ['PUT', '/campaigns/:id/schedule', schedules.update],
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
    ['GET', '/imports/:id/reasons', imports.reasons],
    ['GET', '/imports/:id/report.csv', imports.report],
    ['GET', '/imports/:id/events', imports.events],
    ['POST', '/imports/:id/apply', imports.apply],
    ['GET', '/imports/:id/undo', imports.previewUndo],
    ['POST', '/imports/:id/undo', imports.undo],

    ['GET', '/integrations', integrations.list],
    ['POST', '/integrations', integrations.create],
    ['GET', '/integrations/:id', integrations.get],
    ['PATCH', '/integrations/:id', integrations.update],
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

    ['GET', '/settings', settings.get],
    ['PATCH', '/settings', settings.update],
    ['GET', '/settings/time-zone', settings.getTimeZone],
    ['PATCH', '/settings/time-zone', settings.updateTimeZone],
    ['GET', '/audit', auditLog.list],

    ['GET', '/events', events.list],
    ['GET', '/events/:id', events.get],

    ['GET', '/webhooks', webhooks.list],
    ['POST', '/webhooks', webhooks.create],
    ['GET', '/webhooks/:id', webhooks.get],
    ['PATCH', '/webhooks/:id', webhooks.update],
    ['DELETE', '/webhooks/:id', webhooks.delete],
    ['POST', '/webhooks/:id/rotate-secret', webhooks.rotateSecret],
    ['DELETE', '/webhooks/:id/old-secret', webhooks.revokeOldSecret],
    ['GET', '/webhooks/:id/attempts', webhooks.attempts],
    ['GET', '/webhooks/:id/attempts/:attempt', webhooks.attempt],
    ['POST', '/webhooks/:id/test', webhooks.test],
    ['POST', '/webhooks/:id/replay', webhooks.replay],
    ['DELETE', '/webhooks/:id/replay', webhooks.cancelReplay],

    ['GET', '/contacts/by-phone/:phone', byPhone.get],
    ['PUT', '/contacts/by-phone/:phone', byPhone.upsert],
    ['POST', '/contacts/batch', batches.contacts],
    ['POST', '/agents/:id/rollback', deploys.rollback],
    ['GET', '/agents/:id/versions/:version/diff', deploys.diff],
    ['POST', '/campaigns/:id/claims', claims.create],
  ];
  const dashboard: readonly Binding[] = [
    ['POST', '/session', session.signIn],
    ['POST', '/session/link', session.signInByLink],
    ['GET', '/session', session.who],
    ['GET', '/session/workspaces', session.workspaces],
    ['PUT', '/session/workspace', session.switchWorkspace],
    ['DELETE', '/session', session.signOut],
    ['PUT', '/session/password', session.changePassword],
    ['GET', '/integrations/health', integrations.health],
    ['GET', '/keys/details', keyDetailsRoute(limitedStorage)],
    ['PATCH', '/settings/name', settings.rename],
    ['GET', '/views', views.list],
    ['POST', '/views', views.create],
    ['GET', '/views/:id', views.get],
    ['PATCH', '/views/:id', views.update],
    ['DELETE', '/views/:id', views.delete],
    ['GET', '/notices', notices.list],
    ['PUT', '/notices/read', notices.markRead],
    ['GET', '/figures', figuresRoutes(limitedStorage).home],
    ['GET', '/contacts', contacts.filter],
    ['GET', '/contacts/activity', calls.activity],
    ['GET', '/campaigns/:id/enrolled', campaigns.enrolled],
  ];
  const hooks: readonly Binding[] = [
    ['GET', '/channels/:id/agent', channelHooks(limitedStorage).agent],
    ['POST', '/channels/:id/events', callHooks(limitedStorage, encryptor).events],
    ['POST', '/contacts/:id', integrations.receive],
  ];
  return {
    /** The API for keys and sessions, under `/v1` and `/api/v1`. Writes accept an `Idempotency-Key`. */
    api: api.map(([method, path, route]): Binding => [method, path, idempotent.route(method, path, route)]),
    /** What only the dashboard needs, under `/dashboard/api`, for signed-in users. */
    dashboard,
    /** Requests from phone providers and CRMs, under `/hooks`. */
    hooks,
  };
};

export const under = (prefix: string, bindings: readonly Binding[]): BoundRoute[] =>
  bindings.map(([method, path, route]) => ({ method, path: prefix + path, route }));

interface SiteRoutes {
  readonly pages: DashboardFiles;
  readonly documents: ReturnType<typeof documentRoutes>;
  readonly operator: ReturnType<typeof operatorRoutes>;
}

const siteBindings = ({ pages, documents, operator }: SiteRoutes): readonly Binding[] => [
  ['GET', '/', pages.home],
  ['GET', '/docs', pages.reference],
  ['GET', '/docs/', pages.reference],
  ['GET', '/openapi.json', documents.api],
  ['GET', '/dashboard/openapi.json', documents.dashboard],
  ['GET', '/healthz', operator.alive],
  ['GET', '/readyz', operator.ready],
  ['GET', '/metrics', operator.metrics],
];

/** Every route of the service. */
export const allRoutes = (
  given: Required<Omit<RouteOptions, 'limits' | 'integrationHealth'>> &
    Pick<RouteOptions, 'integrationHealth'> &
    SiteRoutes,
): BoundRoute[] => {
  const options = { ...given, limits: streamLimits(given.keyLocks) };
  const { limitedStorage, encryptor } = options;
  const { api, dashboard, hooks } = routeTables(options);
  return [
    ...under('/v1', api),
    ...under('/api/v1', api),
    ...under('/dashboard/api', dashboard),
    ...under('/hooks', hooks),
    ...under('/mcp', [['POST', '', mcpRoutes(limitedStorage, encryptor, version).post]]),
    ...under('', siteBindings(options)),
  ];
};
