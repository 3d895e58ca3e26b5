import { routesOf } from '../../http/pipeline/route.ts';
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
import { agentVariables, agentVariablesResponse } from './variable.schema.ts';
import { getAgentVariables, replaceAgentVariables } from './variable.service.ts';

const read = routesOf(needs('agents:read'));
const write = routesOf(needs('agents:write'));

export const agentRoutes = {
  'GET /v1/agents': read({
    run: listAgents,
    summary: 'List agents',
    description: 'Newest first. Excludes deleted agents.',
    query: agentQuery,
    data: agentResponses.listed,
    list: true,
  }),

  'POST /v1/agents': write({
    run: createAgent,
    summary: 'Create an agent',
    description: 'The instructions become the first version, `v1`, as a draft.',
    body: agentCreate,
    data: agentResponses.written,
    hasEtag: true,
  }),

  'POST /v1/agents/:id/duplicate': write({
    run: duplicateAgent,
    summary: 'Duplicate an agent',
    description:
      'Creates an agent with the same description and with the text of one version as its draft `v1`. The copy has no deployed version and no channels.',
    body: agentDuplicate,
    bodyOptional: true,
    data: agentResponses.written,
    hasEtag: true,
  }),

  'GET /v1/agents/:id': read({
    run: getAgent,
    summary: 'Get an agent',
    description: 'Includes the deployed version with its instructions, and a summary of every version.',
    data: agentResponses.full,
    hasEtag: true,
  }),

  'PATCH /v1/agents/:id': write({
    run: updateAgent,
    summary: 'Update an agent',
    description:
      'New instructions become a new draft. The deployed version stays active until another one is deployed.',
    body: agentUpdate,
    data: agentResponses.written,
    hasEtag: true,
  }),

  'GET /v1/agents/:id/variables': read({
    run: getAgentVariables,
    summary: "Get an agent's own variables",
    description: 'The names in its instructions that only enrollments and runtimes provide.',
    data: agentVariablesResponse,
    hasEtag: true,
  }),

  'PUT /v1/agents/:id/variables': write({
    run: replaceAgentVariables,
    summary: "Replace an agent's own variables",
    description:
      "A deploy refuses instructions with names that are neither declared here nor a contact's variables or fields. A name that the deployed version uses cannot be removed.",
    body: agentVariables,
    data: agentVariablesResponse,
    hasEtag: true,
    errors: ['CONFLICT'],
  }),

  'DELETE /v1/agents/:id': write({
    run: deleteAgent,
    summary: 'Delete an agent',
    description: 'A soft delete: the agent is no longer accessible, but its history remains.',
    hasEtag: true,
  }),
};
