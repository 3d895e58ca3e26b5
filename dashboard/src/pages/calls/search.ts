import { oneIn, pageIn, type RawSearch, textIn } from '../../app/address.ts';

export interface CallsSearch {
  readonly contact?: string | undefined;
  readonly agent?: string | undefined;
  readonly channel?: string | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly page?: number | undefined;
  /** The call whose details are open. */
  readonly call?: string | undefined;
}

/** What the address of the list holds. */
export const callsSearch = (raw: RawSearch): CallsSearch => ({
  contact: textIn(raw.contact),
  agent: textIn(raw.agent),
  channel: textIn(raw.channel),
  direction: oneIn(['inbound', 'outbound'] as const, raw.direction),
  page: pageIn(raw.page),
  call: textIn(raw.call),
});
