import type { Storage } from '../db/storage.ts';
import { platformHooks } from '../features/adapters/platform.routes.ts';
import { agentRoutes } from '../features/agents/agent.routes.ts';
import { configRoutes } from '../features/agents/config.routes.ts';
import { deployRoutes } from '../features/agents/deploy.routes.ts';
import { auditLogRoutes } from '../features/audit-log/audit-log.routes.ts';
import { bulkRoutes } from '../features/bulk/bulk.routes.ts';
import { callRoutes } from '../features/calls/call.routes.ts';
import { callExportRoutes } from '../features/calls/export.routes.ts';
import { callHooks } from '../features/calls/hook.routes.ts';
import { sessionHooks } from '../features/calls/session.routes.ts';
import { campaignRoutes } from '../features/campaigns/campaign.routes.ts';
import { campaignExportRoutes } from '../features/campaigns/export.routes.ts';
import { channelRoutes } from '../features/channels/channel.routes.ts';
import { channelHooks } from '../features/channels/hook.routes.ts';
import type { KnownChannels } from '../features/channels/known-channels.ts';
import { batchRoutes } from '../features/contacts/batch.routes.ts';
import { contactRoutes } from '../features/contacts/contact.routes.ts';
import { identityRoutes } from '../features/contacts/identity.routes.ts';
import { segmentRoutes } from '../features/contacts/segment.routes.ts';
import { tagRoutes } from '../features/contacts/tag.routes.ts';
import { sampleRoutes } from '../features/demo/sample.routes.ts';
import { duplicateRoutes } from '../features/duplicates/duplicate.routes.ts';
import { eventRoutes } from '../features/events/event.routes.ts';
import { fieldRoutes } from '../features/fields/field.routes.ts';
import { figuresRoutes } from '../features/figures/figures.routes.ts';
import { idempotency } from '../features/idempotency/idempotency.routes.ts';
import { exportRoutes } from '../features/imports/export.routes.ts';
import { importRoutes } from '../features/imports/import.routes.ts';
import type { IntegrationHealth } from '../features/integrations/integration.health.ts';
import { integrationRoutes } from '../features/integrations/integration.routes.ts';
import { mcpRoute } from '../features/mcp/mcp.routes.ts';
import { mergeRoutes } from '../features/merges/merge.routes.ts';
import { noticeRoutes } from '../features/notices/notice.routes.ts';
import { playgroundRoutes } from '../features/playground/playground.routes.ts';
import { timelineRoutes } from '../features/timeline/timeline.routes.ts';
import { viewRoutes } from '../features/views/view.routes.ts';
import { type WebhookControl, webhookRoutes } from '../features/webhooks/webhook.routes.ts';
import { accessRoutes } from '../features/workspaces/access.routes.ts';
import { readsRoutes } from '../features/workspaces/reads.routes.ts';
import { sessionRoutes } from '../features/workspaces/session.routes.ts';
import { settingsRoutes } from '../features/workspaces/settings.routes.ts';
import type { DashboardFiles } from '../http/pipeline/dashboard-files.ts';
import { operationRoute } from '../http/pipeline/operation-route.ts';
import type { operatorRoutes } from '../http/pipeline/operator.routes.ts';
import type { AnyOperationRoute, AnyRoute } from '../http/pipeline/route.ts';
import type { BoundRoute } from '../http/pipeline/router.ts';
import { type Locks, streamLimits } from '../http/pipeline/stream-limits.ts';
import type { Runner } from '../jobs/runner.ts';
import type { Encryptor } from '../lib/encryption.ts';
import { version } from '../lib/version.ts';
import { collections } from './collections.ts';
import { readWorkStates } from './work-states.ts';

/** By method and path. */
type Routes = Readonly<Record<string, AnyOperationRoute | AnyRoute>>;

export interface RouteOptions {
  readonly storage: Storage;
  /** The storage with admission control. Uploads and downloads of imports and exports do not use it: they run many operations and must not be
   *  rejected halfway. */
  readonly limitedStorage?: Storage;
  readonly encryptor: Encryptor;
  readonly runner: Pick<Runner, 'wake'>;
  readonly isStopping: () => boolean;
  readonly keyLocks: Locks;
  /** How many bytes the rows of a workspace's imports may take. */
  readonly importQuota: number;
  readonly webhooks: WebhookControl;
  readonly integrationHealth?: IntegrationHealth;
  readonly knownChannels: KnownChannels;
}

/** The routes of the service by their kind. Each is created once. */
export const routeTables = (options: RouteOptions) => {
  const { encryptor, keyLocks, knownChannels, limitedStorage = options.storage } = options;
  const limits = streamLimits(keyLocks);
  const idempotent = idempotency(limitedStorage, keyLocks);
  const { storage } = idempotent;
  const tables: readonly Routes[] = [
    contactRoutes(storage),
    batchRoutes(storage),
    identityRoutes(storage),
    exportRoutes(options.storage, limits),
    timelineRoutes,
    tagRoutes,
    fieldRoutes(storage),
    segmentRoutes,
    bulkRoutes(storage, { ...options, limits }),
    duplicateRoutes(storage, options),
    mergeRoutes(storage, options),
    agentRoutes,
    configRoutes(storage),
    deployRoutes(storage),
    channelRoutes(storage, encryptor),
    channelHooks(limitedStorage, knownChannels),
    callRoutes,
    callExportRoutes(options.storage, limits),
    callHooks(limitedStorage, encryptor),
    sessionHooks(limitedStorage, { encryptor, known: knownChannels }),
    platformHooks(limitedStorage, { encryptor, known: knownChannels }),
    campaignRoutes(storage),
    campaignExportRoutes(options.storage, limits),
    importRoutes(idempotency(options.storage, keyLocks).storage, { ...options, limits }),
    integrationRoutes(storage, options.integrationHealth),
    accessRoutes(storage),
    settingsRoutes,
    auditLogRoutes,
    eventRoutes(limitedStorage, { ...options, limits, readWorkStates }),
    webhookRoutes(storage, options),
    playgroundRoutes(limitedStorage, { ...options, limits }),
    sessionRoutes(limitedStorage),
    readsRoutes,
    viewRoutes,
    noticeRoutes,
    figuresRoutes,
    sampleRoutes(limitedStorage, options),
  ];
  const bound = tables.flatMap(Object.entries).map((entry) => bind(entry, storage.run));
  const under = (prefix: string) => bound.filter(({ path }) => path.startsWith(prefix));
  return {
    /** The API for keys and sessions, also under `/api/v1`. Writes accept an `Idempotency-Key`. */
    api: under('/v1').map(({ method, path, route }) => {
      const idempotentRoute = idempotent.route(method, path.slice('/v1'.length), route);
      return { method, path, route: idempotentRoute };
    }),
    /** What only the dashboard needs, for signed-in users. */
    dashboard: under('/dashboard/api'),
    /** Requests from phone providers and CRMs. */
    hooks: under('/hooks'),
  };
};

/** A route with its collection, from `GET /v1/contacts/:id`. */
const bind = ([key, definition]: readonly [string, Routes[string]], run: Storage['run']): BoundRoute => {
  const [method, path] = key.split(' ') as [string, string];
  const [, , name = ''] = path.replace('/dashboard', '').split('/');
  const { group, id } = collections[name] ?? {};
  const route = definition.run ? operationRoute(method, path, definition, run) : definition;
  const params = id && { id };
  const grouped = { params, ...route, group: path.startsWith('/hooks/') ? 'Hooks' : group };
  return { method, path, route: grouped };
};

interface SiteRoutes {
  readonly pages: DashboardFiles;
  readonly documents: Readonly<Record<'api' | 'dashboard', AnyRoute>>;
  readonly operator: ReturnType<typeof operatorRoutes>;
}

/** Every route of the service. */
export const allRoutes = (options: RouteOptions & SiteRoutes): BoundRoute[] => {
  const { limitedStorage = options.storage, encryptor, pages, documents, operator } = options;
  const { api, dashboard, hooks } = routeTables(options);
  const site: Record<string, AnyRoute> = {
    '/': pages.home,
    '/docs': pages.reference,
    '/docs/': pages.reference,
    '/openapi.json': documents.api,
    '/dashboard/openapi.json': documents.dashboard,
    '/healthz': operator.alive,
    '/readyz': operator.ready,
    '/metrics': operator.metrics,
  };
  return [
    ...api,
    ...api.map((each) => ({ ...each, path: `/api${each.path}` })),
    ...dashboard,
    ...hooks,
    { method: 'POST', path: '/mcp', route: mcpRoute(limitedStorage, encryptor, version) },
    ...Object.entries(site).map(([path, route]) => ({ method: 'GET', path, route })),
  ];
};
