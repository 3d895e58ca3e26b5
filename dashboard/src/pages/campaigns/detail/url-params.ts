import { enumParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

export const enrollmentStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;

export interface CampaignSearch {
  /** Shows only enrollments with this status. */
  readonly status?: (typeof enrollmentStatuses)[number] | undefined;
  readonly page?: number | undefined;
  /** The open dialog. */
  readonly open?: 'edit' | 'enroll' | 'finish' | 'start' | undefined;
}

export const parseCampaignSearch = (raw: RawSearch): CampaignSearch => ({
  status: enumParam(enrollmentStatuses, raw.status),
  page: pageParam(raw.page),
  open: enumParam(['edit', 'enroll', 'finish', 'start'] as const, raw.open),
});
