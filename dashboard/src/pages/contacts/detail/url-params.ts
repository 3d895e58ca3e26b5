import { enumParam, pageParam, type RawSearch } from '../../../app/search-params.ts';

const dialogs = ['phone', 'enroll', 'delete'] as const;

export interface ContactSearch {
  /** The page of the calls. */
  readonly calls?: number | undefined;
  /** The dialog that is open. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

/** What the address of the page holds. */
export const parseContactSearch = (raw: RawSearch): ContactSearch => ({
  calls: pageParam(raw.calls),
  open: enumParam(dialogs, raw.open),
});
