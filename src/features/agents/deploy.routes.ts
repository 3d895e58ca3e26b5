import type { Storage } from '../../db/storage.ts';
import { ok, page, route } from '../../http/pipeline/route.ts';
import type { Timestamp } from '../../lib/clock.ts';
import { type PageRequest, pageFields, pageRequestOf } from '../../lib/page.ts';
import {
  boolean,
  dateTime,
  dateTimeSchema,
  type JsonSchema,
  nullable,
  objectOf,
  objectSchema,
  text,
} from '../../lib/validation.ts';
import type { Principal } from '../workspaces/principal.ts';
import { deploymentStatuses } from './agent.schema.ts';
import { listDeploys, listRecentDeploys, listVersions } from './deploy.history.ts';
import { activeVersionAt, deployVersion, getVersion } from './deploy.service.ts';

const group = 'Agents';
const params = { id: 'The id of the agent.', version: 'The id of the version.' };

const deployBody = objectOf({
  note: nullable(text({ max: 500 })),
  confirm_unknown_variables: boolean({
    description: 'Must be true to deploy instructions with unknown variables.',
  }),
});
const activeQuery = objectOf({ at: dateTime() });
const listQuery = objectOf(pageFields);
type ListQuery = Partial<PageRequest>;
/** Later than every deploy, even if the clock was set back. */
const NOW: Timestamp = '9999-12-31T23:59:59.999Z';

const string: JsonSchema = { type: 'string' };
const stringOrNull: JsonSchema = { type: ['string', 'null'] };
const summaryProperties: Record<string, JsonSchema> = {
  id: string,
  version_label: string,
  deployment_status: { type: 'string', enum: deploymentStatuses },
  created_at: dateTimeSchema('When the version was created.'),
};
const versionProperties = { ...summaryProperties, instructions: string };
const byProperties: Record<string, JsonSchema> = {
  deployed_at: dateTimeSchema('When the version was deployed.'),
  deployed_by: { type: 'string', description: 'The id of the user.' },
  deployed_by_email: { ...stringOrNull, description: '`null` after the user is removed.' },
  note: stringOrNull,
};
const deployProperties: Record<string, JsonSchema> = {
  version_id: string,
  version_label: string,
  previous_version_id: stringOrNull,
  ...byProperties,
};
const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: 'null' }] });

export const recentDeploy = objectSchema('RecentDeploy', {
  agent_id: string,
  agent_name: string,
  agent_deleted: { type: 'boolean', description: 'Whether the agent was deleted.' },
  version_id: string,
  version_label: string,
  previous_version_label: stringOrNull,
  ...byProperties,
});

/** Agents in the dashboard: versions, deploys and their history. */
export const deployRoutes = (storage: Storage) => ({
  version: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'getVersion',
      summary: 'Get a version',
      params,
      data: objectSchema('Version', versionProperties),
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id, version } }) =>
      ok(storage.run(getVersion, principal, { agent: id, version })),
  }),

  deploy: route<Principal, unknown, ReturnType<typeof deployBody.read>>({
    access: 'member',
    body: deployBody,
    bodyOptional: true,
    document: {
      group,
      operationId: 'deployVersion',
      summary: 'Deploy a version',
      description:
        'Archives the deployed version and activates this one. Deploying an archived version is a rollback. Instructions with unknown variables are rejected unless `confirm_unknown_variables` is true.',
      params,
      status: 200,
      data: objectSchema('Deploy', { ...deployProperties, changed: { type: 'boolean' } }),
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    },
    handle: ({ principal, params: { id, version }, body }) =>
      ok(
        storage.run(deployVersion, principal, {
          agent: id,
          version,
          note: body.note ?? null,
          confirmUnknownVariables: body.confirm_unknown_variables ?? false,
        }),
      ),
  }),

  versions: route<Principal, ListQuery>({
    access: 'member',
    query: listQuery,
    document: {
      group,
      operationId: 'listVersions',
      summary: 'List the versions of an agent',
      description: 'Newest first, each with its last deploy. Excludes the instructions.',
      params: { id: params.id },
      data: objectSchema('ListedVersion', {
        ...summaryProperties,
        deployed_at: orNull(dateTimeSchema('When the version was last deployed.')),
        deployed_by: stringOrNull,
        deployed_by_email: stringOrNull,
        note: stringOrNull,
      }),
      list: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, query }) =>
      page(pageRequestOf(query), storage.run(listVersions, principal, { agent: id, query })),
  }),

  deploys: route<Principal, ListQuery>({
    access: 'member',
    query: listQuery,
    document: {
      group,
      operationId: 'listAgentDeploys',
      summary: 'List the deploys of an agent',
      description: 'Newest first.',
      params: { id: params.id },
      data: objectSchema('DeployRecord', {
        ...deployProperties,
        previous_version_label: stringOrNull,
        active_until: orNull(dateTimeSchema('When the next deploy replaced it.')),
      }),
      list: true,
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, query }) =>
      page(pageRequestOf(query), storage.run(listDeploys, principal, { agent: id, query })),
  }),

  recent: route<Principal, ListQuery>({
    access: 'member',
    query: listQuery,
    document: {
      group,
      operationId: 'listDeploys',
      summary: 'List deploys',
      description: 'All deploys in the workspace, newest first.',
      data: recentDeploy,
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) =>
      page(pageRequestOf(query), storage.run(listRecentDeploys, principal, query)),
  }),

  active: route<Principal, ReturnType<typeof activeQuery.read>>({
    access: 'member',
    query: activeQuery,
    document: {
      group,
      operationId: 'getActiveVersion',
      summary: 'Get the version that was active at a time',
      description: 'At the time `at`, or now if it is omitted. `null` before the first deploy.',
      params: { id: params.id },
      data: {
        oneOf: [objectSchema('ActiveVersion', { ...versionProperties, ...byProperties }), { type: 'null' }],
      },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, query }) =>
      ok(storage.run(activeVersionAt, principal, { agent: id, at: query.at ?? NOW })),
  }),
});
