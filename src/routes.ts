import type { IncomingMessage, RequestListener } from 'node:http';
import { newAdmissionQueues, withAdmission } from './db/admission.ts';
import type { Storage } from './db/storage.ts';
import { activityRoutes } from './features/activity/activity.routes.ts';
import { agentRoutes } from './features/agents/agent.routes.ts';
import { deployRoutes } from './features/agents/deploy.routes.ts';
import { callRoutes } from './features/calls/call.routes.ts';
import { hookRoutes, signatureGuard } from './features/calls/hook.routes.ts';
import { campaignRoutes } from './features/campaigns/campaign.routes.ts';
import { channelRoutes } from './features/channels/channel.routes.ts';
import { channelGuard, channelHooks } from './features/channels/hook.routes.ts';
import { conflictRoutes } from './features/contacts/conflict.routes.ts';
import { contactRoutes } from './features/contacts/contact.routes.ts';
import { selectionRoutes } from './features/contacts/selection.routes.ts';
import { figuresRoutes } from './features/figures/figures.routes.ts';
import { safeRetries } from './features/idempotency/idempotency.routes.ts';
import { exportRoutes } from './features/imports/export.routes.ts';
import { importRoutes } from './features/imports/import.routes.ts';
import { integrationGuard, integrationRoutes } from './features/integrations/integration.routes.ts';
import { peopleRoutes } from './features/workspaces/people.routes.ts';
import type { KeyPrincipal } from './features/workspaces/principal.ts';
import { HOST_COOKIE, SESSION_COOKIE, sessionGuards } from './features/workspaces/session.guard.ts';
import { sessionRoutes } from './features/workspaces/session.routes.ts';
import { settingsRoutes } from './features/workspaces/settings.routes.ts';
import { documentRoutes } from './http/openapi/document.routes.ts';
import { openApi } from './http/openapi/openapi.ts';
import { limitAuthFailures } from './http/pipeline/auth-failures.ts';
import { type ApiKeys, keyGuards, openGuard } from './http/pipeline/credentials.ts';
import type { DashboardFiles } from './http/pipeline/dashboard-files.ts';
import { createListener } from './http/pipeline/listener.ts';
import { Metrics } from './http/pipeline/metrics.ts';
import { operatorRoutes } from './http/pipeline/operator.routes.ts';
import { originOf } from './http/pipeline/request-origin.ts';
import type { AnyRoute } from './http/pipeline/route.ts';
import { type BoundRoute, Router } from './http/pipeline/router.ts';
import { streamLimits } from './http/pipeline/stream-limits.ts';
import { createShedding } from './http/server/load-shedding.ts';
import type { Runner } from './jobs/runner.ts';
import type { Sealer } from './lib/encryption.ts';
import { type TrustedProxies, trustedProxyCheck } from './lib/ip-address.ts';
import type { Log } from './lib/log.ts';
import type { Rate } from './lib/rate-limit.ts';
import { once } from './operations.ts';
import { version } from './version.ts';

export interface AppOptions {
  readonly storage: Storage;
  readonly keys: ApiKeys<KeyPrincipal>;
  readonly sealer: Sealer;
  readonly runner: Pick<Runner, 'wake'>;
  readonly log: Log;
  readonly pages: DashboardFiles;
  readonly trustProxy: TrustedProxies;
  readonly logClientAddress: boolean;
  readonly failureLimit: Rate;
  readonly isStopping: () => boolean;
}

type Binding = readonly [method: string, path: string, route: AnyRoute];

/** The public API. Each line answers under `/v1` and under `/api/v1`, and is safe to be retried. */
const apiRoutes = (storage: Storage): readonly Binding[] => {
  const retries = safeRetries(storage, once);
  const door = { read: 'read', write: 'write' } as const;
  const contacts = contactRoutes(retries.storage, { ...door, source: 'api' });
  const agents = agentRoutes(retries.storage, door);
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
  return bindings.map(([method, path, route]) => [method, path, retries.route(method, path, route)]);
};

type DashboardOptions = Pick<AppOptions, 'storage' | 'sealer' | 'runner' | 'isStopping'> & {
  /** The doors as short requests see them; what takes many steps is not turned away in the midst of them. */
  readonly short?: Storage;
};

/** What the dashboard's pages ask, under `/dashboard/api`: for people who have signed in, not for keys. */
const dashboardRoutes = (options: DashboardOptions): readonly Binding[] => {
  const { sealer, short: storage = options.storage } = options;
  const door = { read: 'member', write: 'member' } as const;
  const session = sessionRoutes(storage);
  const settings = settingsRoutes(storage);
  const contacts = contactRoutes(storage, { ...door, source: 'manual' });
  const selections = selectionRoutes(storage);
  const conflicts = conflictRoutes(storage);
  const agents = agentRoutes(storage, door);
  const deploys = deployRoutes(storage);
  const channels = channelRoutes(storage, sealer);
  const integrations = integrationRoutes(storage);
  const calls = callRoutes(storage);
  const campaigns = campaignRoutes(storage);
  const people = peopleRoutes(storage);
  const figures = figuresRoutes(storage);
  const activity = activityRoutes(storage);
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
    ['GET', '/audit', activity.list],
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
    ['GET', '/keys', people.listKeys],
    ['POST', '/keys', people.createKey],
    ['GET', '/keys/:id', people.getKey],
    ['DELETE', '/keys/:id', people.revokeKey],
    ['GET', '/users', people.listUsers],
    ['POST', '/users', people.createUser],
    ['GET', '/users/:id', people.getUser],
    ['PATCH', '/users/:id', people.updateUser],
    ['DELETE', '/users/:id', people.deleteUser],
    ['POST', '/users/:id/link', people.linkUser],
  ];
};

const under = (prefix: string, bindings: readonly Binding[]): BoundRoute[] =>
  bindings.map(([method, path, each]) => ({ method, path: prefix + path, route: each }));

/** The OpenAPI document of the public API. */
export const describeApi = (storage: Storage) =>
  openApi(under('/v1', apiRoutes(storage)), {
    info: {
      title: 'Roster',
      version,
      description:
        'Contacts, and agents whose instructions are versioned. Every record belongs to the workspace of the key.',
    },
    servers: [{ url: '/' }, { url: '/api', description: 'The same addresses under a second prefix.' }],
    security: { key: { type: 'http', scheme: 'bearer', description: 'An API key, `rk_…`.' } },
  });

/** The OpenAPI document of what the dashboard's pages ask. */
export const describeDashboard = (options: DashboardOptions) =>
  openApi(under('/dashboard/api', dashboardRoutes(options)), {
    info: {
      title: 'Roster dashboard',
      version,
      description: "What the dashboard's pages ask, for people who have signed in.",
    },
    servers: [{ url: '/' }],
    security: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description: `The cookie of a sign-in. Over HTTPS its name is \`${HOST_COOKIE}\`.`,
      },
    },
  });

/** Builds the service's answer to every request; all addresses are bound here. */
export const createApp = ({
  storage,
  keys,
  sealer,
  runner,
  log,
  pages,
  trustProxy,
  logClientAddress,
  failureLimit,
  isStopping,
}: AppOptions): RequestListener => {
  const isTrustedProxy = trustedProxyCheck(trustProxy);
  const metrics = new Metrics(log);
  const gates = newAdmissionQueues();
  const short = withAdmission(storage, gates, () => metrics.shed('longRead'));
  const operator = operatorRoutes({ metrics, ping: () => storage.ping(), isStopping });
  const dashboard = { storage, short, sealer, runner, isStopping };
  const documents = documentRoutes({
    api: describeApi(storage),
    dashboard: describeDashboard(dashboard),
  });
  const hooks = hookRoutes(short, sealer);
  const api = apiRoutes(short);
  const router = new Router([
    ...under('/v1', api),
    ...under('/api/v1', api),
    ...under('/dashboard/api', dashboardRoutes(dashboard)),
    ...under('/hooks', [
      ['GET', '/channels/:id/agent', channelHooks(short).agent],
      ['POST', '/channels/:id/events', hooks.events],
      ['POST', '/contacts/:id', integrationRoutes(short).receive],
    ]),
    ...under('', [
      ['GET', '/', pages.home],
      ['GET', '/docs', documents.reference],
      ['GET', '/docs/', documents.reference],
      ['GET', '/openapi.json', documents.api],
      ['GET', '/dashboard/openapi.json', documents.dashboard],
      ['GET', '/healthz', operator.alive],
      ['GET', '/readyz', operator.ready],
      ['GET', '/metrics', operator.metrics],
    ]),
  ]);
  const guards = {
    open: openGuard,
    ...keyGuards(keys, (principal, rate) => storage.rates.take(principal, rate)),
    ...sessionGuards(storage, isTrustedProxy),
    channel: channelGuard(storage),
    integration: integrationGuard(storage),
    signature: signatureGuard,
  };
  const limitAuthFailure = limitAuthFailures({ rate: failureLimit, isTrustedProxy });
  const shed = createShedding({ queues: gates, metrics, log });
  const clientOf = logClientAddress
    ? (request: IncomingMessage) => originOf(request, isTrustedProxy).address
    : undefined;
  return createListener({
    router,
    pages,
    guards,
    limitAuthFailure,
    shed,
    log,
    metrics,
    isTrustedProxy,
    clientOf,
    isStopping,
  });
};
