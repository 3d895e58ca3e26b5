import type { Call } from '../call.ts';
import { List, within } from '../list.ts';
import type { RequestOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Data, Event, Query } from '../types.ts';

const WAIT_SECONDS = 20;

type Position = Omit<Data<'listEvents'>, 'events'>;

/** With a filter, a page may be empty although there are more. */
const feed = within<Event, Position>('events', ({ has_more, after }) => has_more && { after });

export class Events extends Resource {
  /** Events, oldest first, until none is left. `after` of a page's `pagination` is the position behind it. */
  list(query?: Query<'listEvents'>, options?: RequestOptions): List<Event, Position> {
    return new List(this.transport, feed, '/events', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getEvent'>> {
    return this.get_<'getEvent'>(at`/events/${id}`, options);
  }

  /** Every event after the given one, as it happens. Store the id of the last event that you have handled, and pass it as `after`
   *  to continue. It ends only if you leave the loop or the signal is aborted. */
  async *follow(
    query: Omit<NonNullable<Query<'listEvents'>>, 'wait'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    const timeoutMs = Math.max(options.timeoutMs ?? 0, (WAIT_SECONDS + 10) * 1_000);
    for (let next = query; ; ) {
      const { data, pagination } = await this.list(
        { ...next, wait: WAIT_SECONDS },
        { ...options, timeoutMs },
      ).page();
      yield* data;
      const { after } = pagination;
      const { after: _, ...filters } = next;
      next = after === null ? filters : { ...filters, after };
    }
  }
}
