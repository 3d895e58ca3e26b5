import { END_OF_TIME } from '../../lib/clock.ts';

/** The entry after which a page begins. Entries are ordered by time, and those of one millisecond by id. */
export interface TimelinePosition {
  readonly at: string;
  readonly id: string;
}

/** After every time and id. */
export const END: TimelinePosition = { at: END_OF_TIME, id: '' };

const AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[a-z0-9_-]{0,80}$/;

export const timelineCursor = {
  read: ([at, id]: readonly unknown[]): TimelinePosition | undefined =>
    typeof at === 'string' && AT.test(at) && typeof id === 'string' && ID.test(id) ? { at, id } : undefined,
  message:
    'is not valid for this timeline. Send the next_cursor of the previous page with the same kinds, or start again without a cursor.',
};
