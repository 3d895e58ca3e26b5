import { enumParam, pageParam, type RawSearch } from '../../../app/search-params.ts';

export const enrollmentStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;

export interface CampaignSearch {
  /** Only enrollments in this state are shown. */
  readonly status?: (typeof enrollmentStatuses)[number] | undefined;
  readonly page?: number | undefined;
  /** The dialog that lies over the campaign. */
  readonly open?: 'edit' | 'enroll' | 'finish' | 'start' | undefined;
}

/** What the address of a campaign holds. */
export const parseCampaignSearch = (raw: RawSearch): CampaignSearch => ({
  status: enumParam(enrollmentStatuses, raw.status),
  page: pageParam(raw.page),
  open: enumParam(['edit', 'enroll', 'finish', 'start'] as const, raw.open),
});
