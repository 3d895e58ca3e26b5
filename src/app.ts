import type { RequestListener } from 'node:http';
import { agentRoutes } from './agents/agent.routes.ts';
import { contactRoutes } from './contacts/contact.routes.ts';
import type { Access } from './http/credentials.ts';
import { createListener } from './http/listener.ts';
import { Metrics } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { operatorRoutes } from './http/operator.routes.ts';
import { referencePage } from './http/reference/page.ts';
import { type AnyRoute, route } from './http/route.ts';
import { type Bound, Router } from './http/router.ts';
import type { Log } from './kernel/log.ts';
import type { Storage } from './storage/storage.ts';
import { version } from './version.ts';
import type { Principal } from './workspaces/principal.ts';

export interface AppOptions {
  readonly storage: Storage;
  readonly access: Access<Principal>;
  readonly log: Log;
  readonly trustProxy: boolean;
  readonly isStopping: () => boolean;
}

type Binding = readonly [method: string, path: string, route: AnyRoute];

/** The public API. Each line answers under `/v1` and under `/api/v1`. */
const apiRoutes = (storage: Storage): readonly Binding[] => {
  const contacts = contactRoutes(storage);
  const agents = agentRoutes(storage);
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

const under = (prefix: string, bindings: readonly Binding[]): Bound[] =>
  bindings.map(([method, path, each]) => ({ method, path: prefix + path, route: each }));

/** The OpenAPI document of the public API. */
export const describeApi = (storage: Storage) =>
  openApi(under('/v1', apiRoutes(storage)), {
    title: 'Roster',
    version,
    description:
      'Contacts, and agents whose instructions are versioned. Every record belongs to the workspace of the key.',
  });

/** The documents are made once, when the service starts. */
const documentRoutes = (storage: Storage) => {
  const document = describeApi(storage);
  const json = `${JSON.stringify(document, null, 2)}\n`;
  const html = referencePage(document);
  return {
    openapi: route({ access: 'open', handle: () => ({ status: 200, body: json }) }),
    reference: route({
      access: 'open',
      handle: () => ({
        status: 200,
        body: html,
        type: 'text/html; charset=utf-8',
        headers: {
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
        },
      }),
    }),
    home: route({
      access: 'open',
      handle: () => ({ status: 302, body: '', headers: { Location: '/docs' } }),
    }),
  };
};

/** Builds the service's answer to every request; all addresses are bound here. */
export const createApp = ({ storage, access, log, trustProxy, isStopping }: AppOptions): RequestListener => {
  const metrics = new Metrics();
  const operator = operatorRoutes({ metrics, ping: () => storage.ping(), isStopping });
  const documents = documentRoutes(storage);
  const api = apiRoutes(storage);
  const router = new Router([
    ...under('/v1', api),
    ...under('/api/v1', api),
    ...under('', [
      ['GET', '/', documents.home],
      ['GET', '/docs', documents.reference],
      ['GET', '/openapi.json', documents.openapi],
      ['GET', '/healthz', operator.alive],
      ['GET', '/readyz', operator.ready],
      ['GET', '/metrics', operator.metrics],
    ]),
  ]);
  return createListener({ router, access, log, metrics, trustProxy, isStopping });
};
