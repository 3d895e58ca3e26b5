import type { Migration } from './migration.ts';

/** The time of the last request of a limited key. A distributed PostgreSQL evaluates the clock only where a row is inserted, so
 *  the result of an update has to be computed from columns. */
export const limitTimes: Migration = {
  name: 'times of rate limits',
  statements: (engine) =>
    engine === 'postgres' ? ['alter table rate_limits add column requested_at float8'] : [],
};
