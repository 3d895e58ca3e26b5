import type { CheckedUser } from '../dashboard/checked-client.ts';
import type { Json } from './test-service.ts';

export interface EventReader {
  /** The events since the last call, or since the reader was created. */
  next(): Promise<Json[]>;
}

/** Follows the feed of events as a user. */
export const followEvents = async (
  { request }: Pick<CheckedUser, 'request'>,
  limit = 500,
): Promise<EventReader> => {
  const page = async (after: string | null): Promise<Json> =>
    request('GET', `/events?limit=${limit}${after === null ? '' : `&after=${after}`}`);
  let { after } = await request('GET', '/events?after=latest');
  return {
    next: async () => {
      const events: Json[] = [];
      for (;;) {
        const found = await page(after);
        events.push(...found.events);
        after = found.after;
        if (!found.has_more) return events;
      }
    },
  };
};
