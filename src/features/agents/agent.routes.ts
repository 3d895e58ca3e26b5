import type { Storage } from '../../db/storage.ts';
import { changedRecord, ifMatchOf, recordWithEtag } from '../../http/pipeline/preconditions.ts';
import { created, deleted, page, routesOf } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { needs } from '../workspaces/access.ts';
import { agentCreate, agentDuplicate, agentQuery, agentResponses, agentUpdate } from './agent.schema.ts';
import {
  createAgent,
  deleteAgent,
  duplicateAgent,
  getAgent,
  listAgents,
  updateAgent,
} from './agent.service.ts';

const read = routesOf(needs('agents:read'));
const write = routesOf(needs('agents:write'));

/** `/v1/agents` from `/v1/agents/{id}/duplicate`. */
const listPath = (path: string): string => path.split('/').slice(0, -2).join('/');

export const agentRoutes = (storage: Storage) => ({
  'GET /v1/agents': read({
    operationId: 'listAgents',
    summary: 'List agents',
    description: 'Newest first. Excludes deleted agents.',
    query: agentQuery,
    data: agentResponses.listed,
    list: true,
    handle: ({ principal, query }) => page(pageRequestOf(query), storage.run(listAgents, principal, query)),
  }),

  'POST /v1/agents': write({
    operationId: 'createAgent',
    summary: 'Create an agent',
    description: 'The instructions become the first version, `v1`, as a draft.',
    body: agentCreate,
    data: agentResponses.written,
    hasEtag: true,
    handle: (request) => created(request, storage.run(createAgent, request.principal, request.body)),
  }),

  'POST /v1/agents/:id/duplicate': write({
    operationId: 'duplicateAgent',
    summary: 'Duplicate an agent',
    description:
      'Creates an agent with the same description and with the text of one version as its draft `v1`. The copy has no deployed version and no channels.',
    body: agentDuplicate,
    bodyOptional: true,
    data: agentResponses.written,
    hasEtag: true,
    handle: (request) => {
      const { principal, params, body } = request;
      const creation = storage.run(duplicateAgent, principal, { ...body, id: params.id });
      return created({ path: listPath(request.path) }, creation);
    },
  }),

  'GET /v1/agents/:id': read({
    operationId: 'getAgent',
    summary: 'Get an agent',
    description: 'Includes the deployed version with its instructions, and a summary of every version.',
    data: agentResponses.full,
    hasEtag: true,
    handle: (request) => {
      const { principal, params } = request;
      return recordWithEtag(request, storage.run(getAgent, principal, { id: params.id }));
    },
  }),

  'PATCH /v1/agents/:id': write({
    operationId: 'updateAgent',
    summary: 'Update an agent',
    description:
      'New instructions become a new draft. The deployed version stays active until another one is deployed.',
    body: agentUpdate,
    data: agentResponses.written,
    hasEtag: true,
    handle: (request) => {
      const { principal, params, body: fields } = request;
      return changedRecord(
        storage.run(updateAgent, principal, { id: params.id, fields, match: ifMatchOf(request) }),
      );
    },
  }),

  'DELETE /v1/agents/:id': write({
    operationId: 'deleteAgent',
    summary: 'Delete an agent',
    description: 'A soft delete: the agent is no longer accessible, but its history remains.',
    hasEtag: true,
    handle: (request) => {
      const { principal, params } = request;
      return deleted(storage.run(deleteAgent, principal, { id: params.id, match: ifMatchOf(request) }));
    },
  }),
});
