import {
  enumParam,
  flagParam,
  listParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../../lib/search-params.ts';

export const enrollmentStatuses = [
  'pending',
  'in_progress',
  'completed',
  'failed',
  'blocked',
  'skipped',
] as const;
const dialogs = ['edit', 'audience', 'enroll', 'finish', 'start', 'schedule', 'duplicate', 'delete'] as const;
const sorts = ['contact', 'next_attempt'] as const;

export interface CampaignSearch {
  /** Shows only enrollments with this status. */
  readonly status?: (typeof enrollmentStatuses)[number] | undefined;
  /** Shows only contacts that match. */
  readonly search?: string | undefined;
  readonly sort?: (typeof sorts)[number] | `-${(typeof sorts)[number]}` | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** The panel that connects a dialer is open. */
  readonly dialer?: true | undefined;
  /** The open dialog. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

export const parseCampaignSearch = (raw: RawSearch): CampaignSearch => ({
  status: enumParam(enrollmentStatuses, raw.status),
  search: textParam(raw.search),
  sort: sortParam(sorts, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  dialer: flagParam(raw.dialer),
  open: enumParam(dialogs, raw.open),
});
