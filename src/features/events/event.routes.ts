import type { Storage } from '../../db/storage.ts';
import { routesOf } from '../../http/pipeline/route.ts';
import type { StreamLimits } from '../../http/pipeline/stream-limits.ts';
import { needs } from '../workspaces/access.ts';
import { awaitFeed, pollFeed, streamFeed } from './event.follow.ts';
import { eventSchema, type FeedQuery, feedQuery, feedSchema } from './event.schema.ts';
import { getEvent } from './feed.service.ts';

const route = routesOf(needs('events:read'));

interface EventRouteOptions {
  readonly limits: StreamLimits;
  readonly isStopping: () => boolean;
}

const SSE = 'text/event-stream';

export const eventRoutes = (storage: Storage, { limits, isStopping }: EventRouteOptions) => {
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
        const options = { storage, isOver: () => isStopping() || isClosed() };
        const { after, types, limit = 100, wait = 0, payload = 'snapshot' } = query;
        const feed: FeedQuery = { after, types, limit, payload };
        if (headers.accept?.includes(SSE)) {
          const resumed = { ...feed, after: String(headers['last-event-id'] ?? '') || after };
          // Errors of the query are answered before the stream begins, and events after that are not missed.
          const { after: latest } = await awaitFeed(options, principal, { ...resumed, limit: 1 }, 0);
          const from = resumed.after === 'latest' ? { ...resumed, after: latest ?? undefined } : resumed;
          return {
            status: 200,
            onClose: await limits.feeds(principal),
            body: streamFeed(options, principal, from),
            type: `${SSE}; charset=utf-8`,
          };
        }
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
