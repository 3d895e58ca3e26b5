import { timeRangeIn } from '../../../app/time-zone.ts';
import type { CallsSearch } from '../../../records/calls/url-params.ts';
import { durationIn } from '../durations.ts';

/** The filters of the address, for the service. Without a date the time zone does not matter. */
export const filterQuery = (search: CallsSearch, zone: string | undefined) => {
  const { since, before } = search.date ? timeRangeIn(zone ?? 'UTC', search.date) : {};
  const duration = durationIn(search.duration ?? '');
  return {
    contact_id: search.contact,
    agent_id: search.agent,
    version_id: search.version,
    channel_id: search.channel,
    direction: search.direction,
    type: search.type,
    status: search.status,
    disposition: search.disposition,
    goal: search.goal,
    tag: search.tag,
    number: search.number,
    seconds_min: duration?.from || undefined,
    seconds_max: duration?.below ? duration.below - 1 : undefined,
    search: search.search,
    started_since: since,
    started_before: before,
  };
};
