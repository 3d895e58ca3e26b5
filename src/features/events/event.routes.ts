import type { Operation } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import type { StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { member, needs } from '../workspaces/access.ts';
import type { Principal, UserPrincipal } from '../workspaces/principal.ts';
import { awaitFeed, changesJson, pollFeed, streamChanges, streamFeed } from './event.follow.ts';
import { typesFor } from './event.roles.ts';
import {
  changesQuery,
  changesSchema,
  eventSchema,
  type FeedQuery,
  feedQuery,
  feedSchema,
} from './event.schema.ts';
import type { WorkStates } from './event.work.ts';
import { getEvent } from './feed.service.ts';

const route = routesOf(needs('events:read'));
const live = routesOf(member);

interface EventRouteOptions {
  readonly limits: StreamLimits;
  readonly isStopping: () => boolean;
  readonly readWorkStates: Operation<UserPrincipal, null, WorkStates, 'read'>;
}

const SSE = 'text/event-stream';
const MAX_CHANGES = 2_000;

export const eventRoutes = (storage: Storage, { limits, isStopping, readWorkStates }: EventRouteOptions) => {
  const followOptions = (isClosed: () => boolean) => ({ storage, isOver: () => isStopping() || isClosed() });

  /** A stream that begins where `query` says now: events after that are not missed, and errors of the query are answered before. */
  const stream = async (
    write: (...of: Parameters<typeof streamFeed>) => AsyncGenerator<string>,
    options: ReturnType<typeof followOptions>,
    principal: Principal,
    query: FeedQuery,
  ) => {
    const { after: latest } = await awaitFeed(options, principal, { ...query, limit: 1 }, 0);
    const from = query.after === 'latest' ? { ...query, after: latest ?? undefined } : query;
    const onClose = await limits.feeds(principal);
    return { status: 200, onClose, body: write(options, principal, from), type: `${SSE}; charset=utf-8` };
  };

  return {
    'GET /v1/events': route({
      operationId: 'listEvents',
      summary: 'List events',
      description: `Every change, in the order of the commits and without gaps. Send the \`after\` of a response to continue. With \`wait\`, an empty response is delayed until there is an event. With \`Accept: ${SSE}\`, the response is a stream of server-sent events that does not end. If an event after \`after\` was deleted, the status is 410.`,
      query: feedQuery,
      data: feedSchema,
      otherTypes: [SSE],
      errors: ['GONE'],
      handle: async ({ principal, query, headers, isClosed }) => {
        const options = followOptions(isClosed);
        const { after, types, limit = 100, wait = 0, payload = 'snapshot' } = query;
        const feed: FeedQuery = { after, types, limit, payload };
        if (headers.accept?.includes(SSE))
          return stream(streamFeed, options, principal, {
            ...feed,
            after: String(headers['last-event-id'] ?? '') || after,
          });
        const release = wait > 0 ? await limits.feeds(principal) : undefined;
        try {
          const page = await pollFeed(options, principal, feed, wait * 1_000);
          const end = `"after":${JSON.stringify(page.after)},"has_more":${page.has_more}`;
          return {
            status: 200,
            body: `{"success":true,"data":{"events":[${page.events.join(',')}],${end}}}`,
          };
        } finally {
          release?.();
        }
      },
    }),

    'GET /dashboard/api/live': live({
      operationId: 'listChanges',
      summary: 'Follow the changes of the workspace',
      description: `Which records changed after \`after\`, by default now, as far as the user's role may see them: types and ids, no data. With \`Accept: ${SSE}\`, the response is a stream of server-sent events that ends when the user signs out, is removed or gets another role. If an event after \`after\` was deleted, the status is 410.`,
      query: changesQuery,
      data: changesSchema,
      otherTypes: [SSE],
      errors: ['GONE', 'RATE_LIMITED'],
      handle: async ({ principal, query, headers, isClosed }) => {
        const after = String(headers['last-event-id'] ?? '') || query.after || 'latest';
        const feed = {
          after,
          types: typesFor(principal.role),
          limit: MAX_CHANGES,
          payload: 'ids',
        } as const;
        const options = followOptions(isClosed);
        if (headers.accept?.includes(SSE)) {
          const readWork = async () => storage.run(readWorkStates, principal, null);
          return stream((...of) => streamChanges(...of, readWork), options, principal, feed);
        }
        const page = await awaitFeed(options, principal, feed, 0);
        return { status: 200, body: `{"success":true,"data":${changesJson(page)}}` };
      },
    }),

    'GET /v1/events/:id': route({
      operationId: 'getEvent',
      summary: 'Get an event',
      data: eventSchema,
      handle: async ({ principal, params: { id } }) => ({
        status: 200,
        body: `{"success":true,"data":${await storage.run(getEvent, principal, { id })}}`,
      }),
    }),
  };
};
