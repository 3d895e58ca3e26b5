import { useQueries } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import { addDays, localDay, startOfDay } from '../../../api/time-zone.gen.ts';
import { useTimeZone } from '../../../app/time-zone.ts';
import { type CallSums, MAX_OUTCOME_DAYS, type Sums } from '../../../records/calls/outcomes.ts';

/** The calls of a version in the days for which outcomes are counted, and what they came to. */
export interface VersionResults extends CallSums, Sums {
  /** Whether all calls are counted; otherwise the latest ones. */
  readonly is_complete: boolean;
}

/** Those of some versions; undefined while they load. */
export const useVersionResults = (versions: readonly string[]) => {
  const zone = useTimeZone();
  const since = addDays(localDay(zone ?? 'UTC', Date.now()), 1 - MAX_OUTCOME_DAYS);
  const started_since = new Date(startOfDay(zone ?? 'UTC', since)).toISOString();
  const enabled = zone !== undefined;
  const calls = useQueries({
    queries: versions.map((version_id) => ({
      ...apiQuery('/calls/statistics', { query: { version_id, started_since } }),
      enabled,
    })),
  });
  const outcomes = useQueries({
    queries: versions.map((version_id) => ({
      ...apiQuery('/outcomes', { query: { version_id, since } }),
      enabled,
    })),
  });
  return {
    failed: [...calls, ...outcomes].find((each) => each.isError && !each.data),
    results: versions.map((_, at): VersionResults | undefined => {
      const [sums, counts] = [calls[at]?.data?.data, outcomes[at]?.data?.data];
      return sums && counts && { ...sums, dispositions: counts.dispositions, goals: counts.goals };
    }),
  };
};
