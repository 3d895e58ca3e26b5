import type { Migration } from './migration.ts';

/** The time of the last request of a limited key. A distributed PostgreSQL evaluates the clock only where a row is inserted, so
 *  the result of an update has to be computed from columns. */
export const releaseCandidate: Migration = {
  version: 17,
  name: '1.0.0-rc.1',
  statements: (engine) =>
    engine === 'postgres' ? ['alter table rate_limits add column requested_at float8'] : [],
};
