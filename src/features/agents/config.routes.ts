import type { Storage } from '../../db/storage.ts';
import { ifMatchOf } from '../../http/pipeline/preconditions.ts';
import { created, routesOf } from '../../http/pipeline/route.ts';
import { needs } from '../workspaces/access.ts';
import { configSchemaReplace, configSchemaResponse, versionCreate, writtenVersion } from './config.schema.ts';
import { createVersion, deleteConfigSchema, getConfigSchema, replaceConfigSchema } from './config.service.ts';

const read = routesOf(needs('agents:read'));
const write = routesOf(needs('agents:write'));

/** Versions with a configuration, and its schema. */
export const configRoutes = (storage: Storage) => ({
  'POST /v1/agents/:id/versions': write({
    operationId: 'createVersion',
    summary: 'Create a version',
    description:
      'A draft, returned without its texts. Instructions and config that the request does not have are copied from `based_on`. A config must match the schema of the agent, and must not contain credentials: send references such as `$secret:name`, which are returned as they are. `If-Match` takes the ETag of the agent.',
    body: versionCreate,
    bodyOptional: true,
    sentMember: 'config',
    data: writtenVersion,
    takesIfMatch: true,
    handle: (request) => {
      const input = { ...request.body, id: request.params.id, match: ifMatchOf(request) };
      return created(request, createVersion(storage, request.principal, input));
    },
  }),

  'GET /v1/agents/:id/config-schema': read({
    run: getConfigSchema,
    summary: "Get the schema of an agent's config",
    data: configSchemaResponse,
    hasEtag: true,
  }),

  'PUT /v1/agents/:id/config-schema': write({
    run: replaceConfigSchema,
    summary: "Replace the schema of an agent's config",
    description:
      'A JSON Schema (draft 2020-12) that the config of new versions must match. `format` is not checked. Existing versions stay as they are, and can be deployed.',
    body: configSchemaReplace,
    sentMember: 'schema',
    data: configSchemaResponse,
    hasEtag: true,
  }),

  'DELETE /v1/agents/:id/config-schema': write({
    run: deleteConfigSchema,
    summary: "Delete the schema of an agent's config",
    description: 'The config of new versions can then be any JSON object.',
    hasEtag: true,
  }),
});
