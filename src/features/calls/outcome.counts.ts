import { inDays } from '../../lib/clock.ts';
import type { CallRow } from './call.store.ts';
import { MAX_OUTCOME_DAYS } from './outcome.schema.ts';

/* Dispositions and goals are counted by version, channel and hour in UTC of the call's start, so that they can be summed up to the
 * days of any time zone. */

/** Counters are kept for longer than the longest period, whose first day begins earlier in some time zones. */
export const OUTCOME_DAYS = MAX_OUTCOME_DAYS + 2;

export const OUTCOMES = 'outcome@';
/** Of calls without a version. */
export const NO_VERSION = '-';

/** The first 13 characters of a timestamp: `YYYY-MM-DDTHH`. */
export const hourOf = (at: string): string => at.slice(0, 13);

/** The counters that have a call. Those of an older call have expired and can no longer be corrected. */
export const outcomeCounters = ({
  version_id,
  channel_id,
  started_at,
  disposition,
  goals,
}: Pick<CallRow, 'version_id' | 'channel_id' | 'started_at' | 'disposition' | 'goals'>): string[] => {
  if ((disposition === null && goals === null) || started_at < inDays(-OUTCOME_DAYS)) return [];
  const prefix = `${OUTCOMES}${version_id ?? NO_VERSION}/${channel_id}/${hourOf(started_at)}/`;
  const reached = Object.entries(JSON.parse(goals ?? '{}') as Record<string, boolean>);
  return [
    ...(disposition === null ? [] : [`${prefix}disposition:${disposition}`]),
    ...reached.map(([goal, isReached]) => `${prefix}goal${isReached ? '+' : '-'}:${goal}`),
  ];
};
