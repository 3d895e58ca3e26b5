import type { RequestListener } from 'node:http';
import { agentRoutes } from './agents/agent.routes.ts';
import { deployRoutes } from './agents/deploy.routes.ts';
import { callRoutes } from './calls/call.routes.ts';
import { hookRoutes } from './calls/hook.routes.ts';
import { campaignRoutes } from './campaigns/campaign.routes.ts';
import { channelRoutes } from './channels/channel.routes.ts';
import { channelGuard, channelHooks } from './channels/hook.routes.ts';
import { contactRoutes } from './contacts/contact.routes.ts';
import { figuresRoutes } from './figures/figures.routes.ts';
import { type KeyRing, keyGuards, openGuard } from './http/credentials.ts';
import { documentRoutes } from './http/document.routes.ts';
import { createListener } from './http/listener.ts';
import { Metrics } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { operatorRoutes } from './http/operator.routes.ts';
import type { AnyRoute } from './http/route.ts';
import { type Bound, Router } from './http/router.ts';
import { integrationGuard, integrationRoutes } from './integrations/integration.routes.ts';
import type { Log } from './kernel/log.ts';
import type { Sealer } from './kernel/seal.ts';
import type { Storage } from './storage/storage.ts';
import { version } from './version.ts';
import { peopleRoutes } from './workspaces/people.routes.ts';
import type { KeyPrincipal } from './workspaces/principal.ts';
import { SESSION_COOKIE, sessionGuards } from './workspaces/session.guard.ts';
import { sessionRoutes } from './workspaces/session.routes.ts';

export interface AppOptions {
  readonly storage: Storage;
  readonly keys: KeyRing<KeyPrincipal>;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly trustProxy: boolean;
  readonly isStopping: () => boolean;
}

type Binding = readonly [method: string, path: string, route: AnyRoute];

/** The public API. Each line answers under `/v1` and under `/api/v1`. */
const apiRoutes = (storage: Storage): readonly Binding[] => {
  const door = { read: 'read', write: 'write' } as const;
  const contacts = contactRoutes(storage, { ...door, source: 'api' });
  const agents = agentRoutes(storage, door);
  return [
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
};

/** What the dashboard's pages ask, under `/dashboard/api`: for people who have signed in, not for keys. */
const dashboardRoutes = (storage: Storage, sealer: Sealer): readonly Binding[] => {
  const door = { read: 'member', write: 'member' } as const;
  const session = sessionRoutes(storage);
  const contacts = contactRoutes(storage, { ...door, source: 'manual' });
  const agents = agentRoutes(storage, door);
  const deploys = deployRoutes(storage);
  const channels = channelRoutes(storage, sealer);
  const integrations = integrationRoutes(storage);
  const calls = callRoutes(storage);
  const campaigns = campaignRoutes(storage);
  const people = peopleRoutes(storage);
  const figures = figuresRoutes(storage);
  return [
    ['POST', '/session', session.signIn],
    ['GET', '/session', session.who],
    ['DELETE', '/session', session.signOut],
    ['PUT', '/session/password', session.changePassword],
    ['GET', '/figures', figures.home],

    ['GET', '/contacts', contacts.list],
    ['POST', '/contacts', contacts.create],
    ['GET', '/contacts/:id', contacts.get],
    ['PATCH', '/contacts/:id', contacts.update],
    ['DELETE', '/contacts/:id', contacts.delete],
    ['GET', '/contacts/:id/enrollments', campaigns.ofContact],

    ['GET', '/agents', agents.list],
    ['POST', '/agents', agents.create],
    ['GET', '/agents/:id', agents.get],
    ['PATCH', '/agents/:id', agents.update],
    ['DELETE', '/agents/:id', agents.delete],
    ['GET', '/agents/:id/active', deploys.active],
    ['GET', '/agents/:id/deploys', deploys.deploys],
    ['GET', '/agents/:id/versions/:version', deploys.version],
    ['GET', '/agents/:id/versions/:version/impact', campaigns.impact],
    ['POST', '/agents/:id/versions/:version/deploy', deploys.deploy],

    ['GET', '/channels', channels.list],
    ['POST', '/channels', channels.create],
    ['GET', '/channels/:id', channels.get],
    ['PATCH', '/channels/:id', channels.update],
    ['DELETE', '/channels/:id', channels.delete],
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

    ['GET', '/integrations', integrations.list],
    ['POST', '/integrations', integrations.create],
    ['GET', '/integrations/:id', integrations.get],
    ['DELETE', '/integrations/:id', integrations.delete],
    ['GET', '/keys', people.listKeys],
    ['POST', '/keys', people.createKey],
    ['GET', '/keys/:id', people.getKey],
    ['DELETE', '/keys/:id', people.revokeKey],
    ['GET', '/users', people.listUsers],
    ['POST', '/users', people.createUser],
    ['GET', '/users/:id', people.getUser],
    ['PATCH', '/users/:id', people.updateUser],
    ['DELETE', '/users/:id', people.deleteUser],
  ];
};

const under = (prefix: string, bindings: readonly Binding[]): Bound[] =>
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
export const describeDashboard = (storage: Storage, sealer: Sealer) =>
  openApi(under('/dashboard/api', dashboardRoutes(storage, sealer)), {
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
        description: 'The cookie of a sign-in.',
      },
    },
  });

/** Builds the service's answer to every request; all addresses are bound here. */
export const createApp = ({
  storage,
  keys,
  sealer,
  log,
  trustProxy,
  isStopping,
}: AppOptions): RequestListener => {
  const metrics = new Metrics();
  const operator = operatorRoutes({ metrics, ping: () => storage.ping(), isStopping });
  const documents = documentRoutes({
    api: describeApi(storage),
    dashboard: describeDashboard(storage, sealer),
  });
  const hooks = hookRoutes(storage, sealer);
  const api = apiRoutes(storage);
  const router = new Router([
    ...under('/v1', api),
    ...under('/api/v1', api),
    ...under('/dashboard/api', dashboardRoutes(storage, sealer)),
    ...under('/hooks', [
      ['GET', '/channels/:id/agent', channelHooks(storage).agent],
      ['POST', '/channels/:id/events', hooks.events],
      ['POST', '/contacts/:id', integrationRoutes(storage).receive],
    ]),
    ...under('', [
      ['GET', '/', documents.home],
      ['GET', '/docs', documents.reference],
      ['GET', '/openapi.json', documents.api],
      ['GET', '/dashboard/openapi.json', documents.dashboard],
      ['GET', '/healthz', operator.alive],
      ['GET', '/readyz', operator.ready],
      ['GET', '/metrics', operator.metrics],
    ]),
  ]);
  const guards = {
    open: openGuard,
    ...keyGuards(keys),
    ...sessionGuards(storage, trustProxy),
    channel: channelGuard(storage),
    integration: integrationGuard(storage),
  };
  return createListener({ router, guards, log, metrics, trustProxy, isStopping });
};
