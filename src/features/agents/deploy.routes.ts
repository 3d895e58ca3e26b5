import type { Storage } from '../../db/storage.ts';
import { ok, routesOf } from '../../http/pipeline/route.ts';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { needs } from '../workspaces/access.ts';
import { deployBody, versionField, versionKey, versionParams } from './agent.schema.ts';
import { configDifference, configProperties, summaryProperties } from './config.schema.ts';
import { compareVersions, describeVersion, listDeploys, listVersions } from './deploy.history.ts';
import { activeVersionAt, deployVersion, NOW, rollBack, visibleTo } from './deploy.service.ts';
import { renderBody, renderingResponse } from './render.schema.ts';
import { renderVersion } from './render.version.ts';

const read = routesOf(needs('agents:read'));
const deploy = routesOf(needs('agents:deploy'));

const rollbackBody = v.object({
  ...deployBody.fields,
  from: versionField(
    'The version, by id or label, that must be deployed now; otherwise nothing changes. It makes a retry safe.',
  ),
});
const diffQuery = v.object(
  { from: versionField('The version to compare with: its id, or its label, such as `v3`.') },
  { required: ['from'] },
);
const activeQuery = v.object({ at: v.dateTime() });
const listQuery = v.object(pageFields);

const string = s.string();
const stringOrNull: s.JsonSchema = { type: ['string', 'null'] };
const versionNote = s.nullableString(
  'What the author wrote about the version. `note` is that of the deploy.',
);
const byProperties: Record<string, s.JsonSchema> = {
  deployed_at: s.dateTime('When the version was deployed.'),
  deployed_by: s.string('The id of the user or the API key.'),
  deployed_by_email: s.nullableString(
    'The email of the user; `null` after the user is removed, if an API key deployed, and for callers with an API key that does not have the scope `admin`.',
  ),
  deployed_by_key_name: s.nullableString('The name of the API key; `null` for a user.'),
  note: stringOrNull,
};
const deployProperties: Record<string, s.JsonSchema> = {
  version_id: string,
  version_label: string,
  previous_version_id: stringOrNull,
  ...byProperties,
};
const deploySchema = s.object('Deploy', {
  ...deployProperties,
  changed: s.boolean('False if the version was already deployed; the response then describes that deploy.'),
});
export const differenceProperties: Record<string, s.JsonSchema> = {
  added: s.count('Number of added lines.'),
  removed: s.count('Number of removed lines.'),
  hunks: s.list(
    s.object('DiffHunk', {
      from_start: s.count('The first line of the region in the version `from`.'),
      from_lines: s.count('The number of lines in that version.'),
      to_start: s.count('The first line of the region in the other version.'),
      to_lines: s.count('The number of lines in that version.'),
      changes: s.list(
        s.object('DiffChange', {
          change: s.oneOf(['same', 'added', 'removed']),
          lines: s.list(string),
        }),
      ),
    }),
    'The changed regions, each with up to three unchanged lines around it. Lines count from 1.',
  ),
  unified: s.string('The same as a unified diff; empty if the texts are equal.'),
  config: configDifference,
};
const listedVersion: Record<string, s.JsonSchema> = {
  ...summaryProperties,
  created_by: s.nullableString(
    'The id of the user or the API key that wrote the version; `null` if unknown.',
  ),
  created_by_email: s.nullableString(
    'The email of the user; `null` after the user is removed, if an API key wrote the version, and for callers with an API key that does not have the scope `admin`.',
  ),
  created_by_key_name: s.nullableString('The name of the API key; `null` for a user.'),
  based_on: s.orNull(
    s.object('BaseVersion', {
      agent_id: string,
      agent_name: string,
      agent_deleted: s.boolean('Whether the agent was deleted.'),
      version_id: string,
      version_label: string,
    }),
    'The version that it was edited or copied from; `null` if unknown.',
  ),
  ...byProperties,
  deployed_at: s.orNull(s.dateTime('When the version was last deployed.')),
  deployed_by: stringOrNull,
  version_note: versionNote,
  config_sha256: configProperties.config_sha256 as s.JsonSchema,
};

const deployRecord = s.object('DeployRecord', {
  agent_id: string,
  agent_name: string,
  agent_deleted: s.boolean('Whether the agent was deleted.'),
  ...deployProperties,
  previous_version_label: stringOrNull,
  active_until: s.orNull(s.dateTime('When the next deploy replaced it.')),
});

const deployPage = { run: listDeploys, query: listQuery, data: deployRecord, list: true } as const;

/** Versions, deploys and their history. */
export const deployRoutes = (storage: Storage) => ({
  'GET /v1/agents/:id/versions/:version': read({
    operationId: 'getVersion',
    run: describeVersion,
    input: versionKey,
    summary: 'Get a version',
    params: versionParams,
    data: s.object('Version', { ...listedVersion, instructions: string, ...configProperties }),
  }),

  'GET /v1/agents/:id/versions/:version/diff': read({
    run: compareVersions,
    input: ({ params, query }) => ({ agent: params.id, from: query.from, to: params.version }),
    summary: 'Compare two versions',
    description:
      'How this version differs from `from`: the lines of the instructions, and the members of the config by their paths. Texts with more than 600 changed lines are shown as completely replaced.',
    query: diffQuery,
    params: versionParams,
    data: s.object('VersionDiff', {
      from: s.object('ComparedVersion', summaryProperties),
      to: s.object('ComparedVersion', summaryProperties),
      ...differenceProperties,
    }),
  }),

  'POST /v1/agents/:id/rollback': deploy({
    operationId: 'rollBackAgent',
    summary: 'Roll back to the previously deployed version',
    description:
      'Deploys the version that was deployed before the current one. A second rollback returns to the version that the first one replaced. Unknown variables are rejected as by a deploy.',
    body: rollbackBody,
    bodyOptional: true,
    status: 200,
    data: deploySchema,
    errors: ['CONFLICT'],
    handle: ({ principal, params, body }) =>
      ok(storage.run(rollBack, principal, { ...body, agent: params.id }).then(visibleTo(principal))),
  }),

  'POST /v1/agents/:id/versions/:version/deploy': deploy({
    operationId: 'deployVersion',
    summary: 'Deploy a version',
    description:
      'Archives the deployed version and activates this one. Deploying an archived version is a rollback. Instructions with unknown variables are rejected unless `confirm_unknown_variables` is true.',
    body: deployBody,
    bodyOptional: true,
    params: versionParams,
    status: 200,
    data: deploySchema,
    errors: ['CONFLICT'],
    handle: ({ principal, body, ...request }) => {
      const input = { ...body, ...versionKey(request) };
      return ok(storage.run(deployVersion, principal, input).then(visibleTo(principal)));
    },
  }),

  'GET /v1/agents/:id/versions': read({
    run: listVersions,
    summary: 'List the versions of an agent',
    description:
      'Newest first, each with its author, the version that it is based on, and its last deploy. Excludes the instructions and the config.',
    query: listQuery,
    data: s.object('ListedVersion', listedVersion),
    list: true,
  }),

  'GET /v1/agents/:id/deploys': read({
    operationId: 'listAgentDeploys',
    ...deployPage,
    summary: 'List the deploys of an agent',
    description: 'Newest first.',
  }),

  'GET /v1/agents/:id/versions/:version/deploys': read({
    operationId: 'listVersionDeploys',
    ...deployPage,
    summary: 'List the deploys of a version',
    description: 'The periods in which the version was live, newest first.',
    params: versionParams,
  }),

  'GET /v1/deploys': read({
    ...deployPage,
    summary: 'List deploys',
    description: 'All deploys in the workspace, newest first.',
  }),

  'GET /v1/agents/:id/active': read({
    operationId: 'getActiveVersion',
    run: activeVersionAt,
    input: ({ params, query }) => ({ agent: params.id, at: query.at ?? NOW }),
    summary: 'Get the version that was active at a time',
    description: 'At the time `at`, or now if it is omitted. `null` before the first deploy.',
    query: activeQuery,
    data: {
      oneOf: [
        s.object('ActiveVersion', {
          ...summaryProperties,
          instructions: string,
          ...byProperties,
          version_note: versionNote,
          ...configProperties,
        }),
        { type: 'null' },
      ],
    },
  }),

  'POST /v1/agents/:id/versions/:version/render': read({
    access: needs('agents:read', { also: ['contacts:read'] }),
    run: renderVersion,
    input: (request) => ({ ...request.body, ...versionKey(request) }),
    summary: 'Render the instructions of a version',
    description:
      'The text with the values of a contact, which the request names in one of three ways. Nothing is stored. Unknown names remain as they are written.',
    params: versionParams,
    body: renderBody,
    status: 200,
    data: renderingResponse,
  }),
});
