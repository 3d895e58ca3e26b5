import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import { at } from '../request.ts';
import { Resource } from '../resource.ts';
import type { Data, Event, Query } from '../types.ts';

const WAIT_SECONDS = 20;

export class Events extends Resource {
  /** One page of the log, oldest first. */
  list(query?: Query<'listEvents'>, options?: RequestOptions): Call<Data<'listEvents'>> {
    return this.get_<'listEvents'>('/events', options, query);
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
      const { events, after } = await this.list({ ...next, wait: WAIT_SECONDS }, { ...options, timeoutMs });
      yield* events;
      const { after: _, ...filters } = next;
      next = after === null ? filters : { ...filters, after };
    }
  }
}
