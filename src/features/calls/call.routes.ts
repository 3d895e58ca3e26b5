import type { Storage } from '../../db/storage.ts';
import { ok, page, route } from '../../http/pipeline/route.ts';
import { pageRequestOf } from '../../lib/page.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type CallQuery, callQuery, callResponses } from './call.schema.ts';
import { getCall, listCalls } from './call.service.ts';

const group = 'Calls';

export const callRoutes = (storage: Storage) => ({
  list: route<Principal, CallQuery>({
    access: 'member',
    query: callQuery,
    document: {
      group,
      operationId: 'listCalls',
      summary: 'List calls',
      description: 'Calls and messages, newest first. A call must match every filter.',
      data: callResponses.call,
      list: true,
      errors: ['VALIDATION_ERROR'],
    },
    handle: ({ principal, query }) => page(pageRequestOf(query), storage.run(listCalls, principal, query)),
  }),

  get: route<Principal>({
    access: 'member',
    document: {
      group,
      operationId: 'getCall',
      summary: 'Get a call',
      params: { id: 'The id of the call.' },
      data: callResponses.call,
      errors: ['NOT_FOUND'],
    },
    handle: ({ principal, params: { id } }) => ok(storage.run(getCall, principal, { id })),
  }),
});
