import { flagParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

export interface WebhooksSearch {
  /** The dialog that adds an endpoint is open. */
  readonly add?: true | undefined;
  readonly page?: number | undefined;
}

export const parseWebhooksSearch = (raw: RawSearch): WebhooksSearch => ({
  add: flagParam(raw.add),
  page: pageParam(raw.page),
});
