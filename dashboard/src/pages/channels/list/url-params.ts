import { flagParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

export interface ChannelsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates a channel is open. */
  readonly add?: true | undefined;
  /** The channel whose details are open. */
  readonly channel?: string | undefined;
}

export const parseChannelsSearch = (raw: RawSearch): ChannelsSearch => ({
  page: pageParam(raw.page),
  add: flagParam(raw.add),
  channel: textParam(raw.channel),
});
