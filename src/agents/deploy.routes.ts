import { record, route } from '../http/route.ts';
import { timestamp } from '../kernel/clock.ts';
import { exactly, type JsonSchema, orNull, shape, text, time, timeSchema } from '../kernel/shape.ts';
import type { Storage } from '../storage/storage.ts';
import type { Principal } from '../workspaces/principal.ts';
import { deploymentStatuses } from './agent.schema.ts';
import { activeVersionAt, deployVersion, getVersion, listDeploys } from './deploy.service.ts';

const group = 'Agents';
const params = { id: 'The id of the agent.', version: 'The id of the version.' };

const deployBody = shape({ note: orNull(text({ max: 500 })) });
const activeQuery = shape({ at: time() });

const string: JsonSchema = { type: 'string' };
const stringOrNull: JsonSchema = { type: ['string', 'null'] };
const versionProperties: Record<string, JsonSchema> = {
  id: string,
  version_label: string,
  deployment_status: { type: 'string', enum: deploymentStatuses },
  created_at: timeSchema('When the version was written.'),
  instructions: string,
};
const deployProperties: Record<string, JsonSchema> = {
  version_id: string,
  version_label: string,
  previous_version_id: stringOrNull,
  deployed_at: timeSchema('When it was deployed.'),
  deployed_by: string,
  note: stringOrNull,
};

/** What only people do with agents: read the text of a version, deploy one, look back. */
export const deployRoutes = (storage: Storage) => ({
  version: route<Principal>({
    access: 'member',
    document: {
      group,
      summary: 'Get a version',
      params,
      data: exactly('Version', versionProperties),
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id, version } }) =>
      record(storage.read(getVersion, principal, { agent: id, version })),
  }),

  deploy: route<Principal, unknown, ReturnType<typeof deployBody.read>>({
    access: 'member',
    body: deployBody,
    bodyOptional: true,
    document: {
      group,
      summary: 'Deploy a version',
      description:
        'Archives the deployed version and makes this one active. A draft goes live, an archived one is rolled back to.',
      params,
      status: 200,
      data: exactly('Deploy', { ...deployProperties, changed: { type: 'boolean' } }),
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id, version }, body }) =>
      record(storage.write(deployVersion, principal, { agent: id, version, note: body.note ?? null })),
  }),

  deploys: route<Principal>({
    access: 'member',
    document: {
      group,
      summary: 'List deploys of an agent',
      params: { id: params.id },
      data: {
        type: 'array',
        items: exactly('DeployRecord', { ...deployProperties, previous_version_label: stringOrNull }),
      },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => record(storage.scan(listDeploys, principal, { agent: id })),
  }),

  active: route<Principal, ReturnType<typeof activeQuery.read>>({
    access: 'member',
    query: activeQuery,
    document: {
      group,
      summary: 'Tell which version was active',
      description: 'At the moment `at`, or now; `null` before the first deploy.',
      params: { id: params.id },
      data: {
        oneOf: [
          exactly('ActiveVersion', {
            ...versionProperties,
            deployed_at: timeSchema('When it was deployed.'),
          }),
          { type: 'null' },
        ],
      },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    },
    handle: ({ principal, params: { id }, query }) =>
      record(storage.read(activeVersionAt, principal, { agent: id, at: query.at ?? timestamp() })),
  }),
});
