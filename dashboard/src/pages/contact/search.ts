import { oneIn, pageIn, type RawSearch } from '../../app/address.ts';

const dialogs = ['phone', 'enroll', 'delete'] as const;

export interface ContactSearch {
  /** The page of the calls. */
  readonly calls?: number | undefined;
  /** The dialog that is open. */
  readonly open?: (typeof dialogs)[number] | undefined;
}

/** What the address of the page holds. */
export const contactSearch = (raw: RawSearch): ContactSearch => ({
  calls: pageIn(raw.calls),
  open: oneIn(dialogs, raw.open),
});
