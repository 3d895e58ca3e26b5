import { addDays, localDay } from '../../../api/time-zone.gen.ts';
import { daysIn } from '../../../app/time-zone.ts';
import { MAX_OUTCOME_DAYS } from '../../../records/calls/outcomes.ts';
import type { CallsSearch } from '../../../records/calls/url-params.ts';

/** The filters that counts of results know. */
const KNOWN = ['date', 'version', 'agent', 'channel'];
const SHAPE = ['sort', 'page', 'size', 'columns', 'view_id', 'charts', 'call'];

/** Whether counts of results would ignore a filter of the address. */
export const isNarrower = (search: CallsSearch): boolean =>
  Object.entries(search).some(
    ([name, value]) => value !== undefined && !KNOWN.includes(name) && !SHAPE.includes(name),
  );

/** The query for the results of the days that the address names, as far as they are kept. */
export const resultQuery = (
  { date, version, agent, channel }: CallsSearch,
  zone: string,
  now = Date.now(),
) => {
  const { from, to } = date ? daysIn(zone, date) : { from: '', to: '' };
  const first = addDays(localDay(zone, now), 1 - MAX_OUTCOME_DAYS);
  return {
    version_id: version,
    agent_id: agent,
    channel_id: channel,
    since: from && from < first ? first : from || (to && to < first ? first : undefined),
    before: to ? addDays(to, 1) : undefined,
  };
};
