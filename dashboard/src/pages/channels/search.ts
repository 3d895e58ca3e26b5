import { flagIn, pageIn, type RawSearch, textIn } from '../../app/address.ts';

export interface ChannelsSearch {
  readonly page?: number | undefined;
  /** The dialog that creates a channel is open. */
  readonly add?: true | undefined;
  /** The channel whose details are open. */
  readonly channel?: string | undefined;
}

/** What the address of the list holds. */
export const channelsSearch = (raw: RawSearch): ChannelsSearch => ({
  page: pageIn(raw.page),
  add: flagIn(raw.add),
  channel: textIn(raw.channel),
});
