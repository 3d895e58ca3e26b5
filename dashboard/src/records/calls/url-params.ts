import { dateRangeParam } from '../../lib/date-range.ts';
import {
  enumParam,
  flagParam,
  listParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../lib/search-params.ts';

export const statuses = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'canceled',
  'failed',
] as const;

export interface CallsSearch {
  readonly contact?: string | undefined;
  readonly agent?: string | undefined;
  /** The id of a version. */
  readonly version?: string | undefined;
  readonly channel?: string | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly type?: 'call' | 'message' | undefined;
  readonly status?: (typeof statuses)[number] | undefined;
  readonly disposition?: string | undefined;
  /** The key of a goal that was reached, or `-` and the key of one that was missed. */
  readonly goal?: string | undefined;
  readonly tag?: string | undefined;
  readonly number?: string | undefined;
  /** Seconds: `15..30`, `600..`. The end is not part of it. */
  readonly duration?: string | undefined;
  /** A text in the summary, note or transcript. */
  readonly search?: string | undefined;
  /** A range of days in the time zone of the workspace. */
  readonly date?: string | undefined;
  readonly sort?: 'started_at' | '-started_at' | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** A saved view. */
  readonly view_id?: string | undefined;
  readonly charts?: true | undefined;
  /** The call whose details are open. */
  readonly call?: string | undefined;
}

export const parseCallsSearch = (raw: RawSearch): CallsSearch => ({
  contact: textParam(raw.contact),
  agent: textParam(raw.agent),
  version: textParam(raw.version),
  channel: textParam(raw.channel),
  direction: enumParam(['inbound', 'outbound'] as const, raw.direction),
  type: enumParam(['call', 'message'] as const, raw.type),
  status: enumParam(statuses, raw.status),
  disposition: textParam(raw.disposition),
  goal: textParam(raw.goal),
  tag: textParam(raw.tag),
  number: textParam(raw.number),
  duration: textParam(raw.duration),
  search: textParam(raw.search),
  date: dateRangeParam(raw.date),
  sort: sortParam(['started_at'] as const, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  view_id: textParam(raw.view_id),
  charts: flagParam(raw.charts),
  call: textParam(raw.call),
});
