import { enumParam, pageParam, type RawSearch } from '../../../lib/search-params.ts';

const dialogs = ['phone', 'enroll', 'delete'] as const;

export interface ContactSearch {
  /** The page of the call list. */
  readonly calls?: number | undefined;
  /** The open dialog. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

export const parseContactSearch = (raw: RawSearch): ContactSearch => ({
  calls: pageParam(raw.calls),
  open: enumParam(dialogs, raw.open),
});
