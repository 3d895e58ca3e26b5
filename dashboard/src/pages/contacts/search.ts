import { flagIn, oneIn, pageIn, type RawSearch, textIn } from '../../app/address.ts';

const views = ['conflicts'] as const;

export interface ContactsSearch {
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly company?: string | undefined;
  readonly page?: number | undefined;
  /** Instead of all: the legacy contacts whose two numbers conflict. */
  readonly view?: (typeof views)[number] | undefined;
  /** The dialog that adds a contact is open. */
  readonly add?: true | undefined;
}

/** What the address of the list holds. */
export const contactsSearch = (raw: RawSearch): ContactsSearch => ({
  search: textIn(raw.search),
  tag: textIn(raw.tag),
  company: textIn(raw.company),
  page: pageIn(raw.page),
  view: oneIn(views, raw.view),
  add: flagIn(raw.add),
});
