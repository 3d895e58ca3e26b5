import { flagIn, pageIn, type RawSearch } from '../../app/address.ts';

export interface CampaignsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates a campaign is open. */
  readonly add?: true | undefined;
}

/** What the address of the list holds. */
export const campaignsSearch = (raw: RawSearch): CampaignsSearch => ({
  page: pageIn(raw.page),
  add: flagIn(raw.add),
});
