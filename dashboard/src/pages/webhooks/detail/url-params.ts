import { enumParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

export const results = ['delivered', 'failed', 'gone'] as const;
export const tabs = ['attempts', 'settings', 'signature'] as const;
export const dialogs = ['edit', 'replay'] as const;

export interface WebhookSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  /** Shows only attempts with this result. */
  readonly result?: (typeof results)[number] | undefined;
  /** Shows attempts before the one with this number. */
  readonly before?: number | undefined;
  /** The attempt whose details are open. */
  readonly attempt?: number | undefined;
  /** The open dialog. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

const numberParam = (raw: unknown): number | undefined => (Number(raw) === 1 ? 1 : pageParam(raw));

export const parseWebhookSearch = (raw: RawSearch): WebhookSearch => ({
  tab: enumParam(tabs, raw.tab),
  result: enumParam(results, raw.result),
  before: numberParam(raw.before),
  attempt: numberParam(raw.attempt),
  open: enumParam(dialogs, raw.open),
});
