import { oneIn, pageIn, type RawSearch } from '../../app/address.ts';

export const enrollmentStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const;

export interface CampaignSearch {
  /** Only enrollments in this state are shown. */
  readonly status?: (typeof enrollmentStatuses)[number] | undefined;
  readonly page?: number | undefined;
  /** The dialog that lies over the campaign. */
  readonly open?: 'edit' | 'enroll' | 'finish' | 'start' | undefined;
}

/** What the address of a campaign holds. */
export const campaignSearch = (raw: RawSearch): CampaignSearch => ({
  status: oneIn(enrollmentStatuses, raw.status),
  page: pageIn(raw.page),
  open: oneIn(['edit', 'enroll', 'finish', 'start'] as const, raw.open),
});
