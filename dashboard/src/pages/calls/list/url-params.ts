import { enumParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

export interface CallsSearch {
  readonly contact?: string | undefined;
  readonly agent?: string | undefined;
  readonly channel?: string | undefined;
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly page?: number | undefined;
  /** The call whose details are open. */
  readonly call?: string | undefined;
}

export const parseCallsSearch = (raw: RawSearch): CallsSearch => ({
  contact: textParam(raw.contact),
  agent: textParam(raw.agent),
  channel: textParam(raw.channel),
  direction: enumParam(['inbound', 'outbound'] as const, raw.direction),
  page: pageParam(raw.page),
  call: textParam(raw.call),
});
