import { flagParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

export interface CampaignsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates a campaign is open. */
  readonly add?: true | undefined;
}

export const parseCampaignsSearch = (raw: RawSearch): CampaignsSearch => ({
  page: pageParam(raw.page),
  add: flagParam(raw.add),
});
