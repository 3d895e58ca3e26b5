import type { Storage } from '../../db/storage.ts';
import { ok, page, routesOf } from '../../http/pipeline/route.ts';
import { pageFields, pageRequestOf } from '../../lib/page.ts';
import { dateTimeSchema, type JsonSchema, objectOf, objectSchema } from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { versionParams } from './agent.schema.ts';
import { listVersionDeploys } from './deploy.history.ts';
import { deployRecord } from './deploy.routes.ts';
import { getOrigin, listOrigins } from './version.origin.ts';

const route = routesOf(needs('agents:read'));

const listQuery = objectOf(pageFields);

const string: JsonSchema = { type: 'string' };
const stringOrNull: JsonSchema = { type: ['string', 'null'] };
const originSchema = objectSchema('VersionOrigin', {
  version_id: string,
  version_label: string,
  created_at: dateTimeSchema('When the version was created.'),
  created_by: {
    ...stringOrNull,
    description: 'The id of the user or the API key that wrote the version; `null` if unknown.',
  },
  created_by_email: {
    ...stringOrNull,
    description:
      'The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`.',
  },
  created_by_key_name: { ...stringOrNull, description: 'The name of the API key; `null` for a user.' },
  based_on: {
    description: 'The version that it was edited or copied from; `null` if unknown.',
    oneOf: [
      objectSchema('BaseVersion', {
        agent_id: string,
        agent_name: string,
        agent_deleted: { type: 'boolean', description: 'Whether the agent was deleted.' },
        version_id: string,
        version_label: string,
      }),
      { type: 'null' },
    ],
  },
});

/** Where versions come from, and when they were live. */
export const versionRoutes = (storage: Storage) => ({
  'GET /v1/agents/:id/origins': route({
    operationId: 'listVersionOrigins',
    summary: 'List the authors of the versions of an agent',
    description: 'Who wrote each version, and which version it is based on. Newest first.',
    query: listQuery,
    data: originSchema,
    list: true,
    handle: ({ principal, params: { id }, query }) =>
      page(pageRequestOf(query), storage.run(listOrigins, principal, { agent: id, query })),
  }),

  'GET /v1/agents/:id/versions/:version/origin': route({
    operationId: 'getVersionOrigin',
    summary: 'Get the author of a version',
    description: 'Who wrote the version, and which version it is based on.',
    params: versionParams,
    data: originSchema,
    handle: ({ principal, params: { id, version } }) =>
      ok(storage.run(getOrigin, principal, { agent: id, version })),
  }),

  'GET /v1/agents/:id/versions/:version/deploys': route({
    operationId: 'listVersionDeploys',
    summary: 'List the deploys of a version',
    description: 'The periods in which the version was live, newest first.',
    query: listQuery,
    params: versionParams,
    data: deployRecord,
    list: true,
    handle: ({ principal, params: { id, version }, query }) =>
      page(pageRequestOf(query), storage.run(listVersionDeploys, principal, { agent: id, version, query })),
  }),
});
