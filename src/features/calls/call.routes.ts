import type { Storage } from '../../db/storage.ts';
import { ok, page, routesOf } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import { versionParams } from '../agents/agent.schema.ts';
import { member, needs } from '../workspaces/access.ts';
import { versionOutcomes } from './call.outcomes.ts';
import { activityQuery, callQuery, callResponses } from './call.schema.ts';
import { contactActivity, getCall } from './call.service.ts';
import { listCalls } from './call-list.service.ts';
import { MAX_TOTAL } from './call-list.store.ts';

const route = routesOf(needs('calls:read'));
const forMembers = routesOf(member);

export const callRoutes = (storage: Storage) => ({
  'GET /v1/calls': route({
    operationId: 'listCalls',
    summary: 'List calls',
    description: `Calls and messages, newest first. A call must match every filter. With several filters the total counts at most ${MAX_TOTAL} calls.`,
    query: callQuery,
    data: callResponses.call,
    list: true,
    handle: ({ principal, query }) => page(pageRequestOf(query), storage.run(listCalls, principal, query)),
  }),

  'GET /v1/agents/:id/versions/:version/outcomes': route({
    operationId: 'getVersionOutcomes',
    summary: "Get the outcomes of a version's calls",
    description: 'Counts the calls and messages in which a version of an agent spoke, by their status.',
    params: versionParams,
    data: callResponses.outcomes,
    handle: ({ principal, params: { id, version } }) =>
      ok(storage.run(versionOutcomes, principal, { agent: id, version })),
  }),

  'GET /dashboard/api/contacts/activity': forMembers({
    operationId: 'getContactActivity',
    summary: 'Get the first and last call or message of contacts',
    description:
      'The times `first_contact_at` and `last_contact_at` of a contact begin with its creation; these do not.',
    query: activityQuery,
    data: callResponses.activity,
    handle: ({ principal, query }) => ok(storage.run(contactActivity, principal, query)),
  }),

  'GET /v1/calls/:id': route({
    operationId: 'getCall',
    summary: 'Get a call',
    data: callResponses.call,
    handle: ({ principal, params: { id } }) => ok(storage.run(getCall, principal, { id })),
  }),
});
