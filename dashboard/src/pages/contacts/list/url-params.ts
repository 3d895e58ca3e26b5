import { enumParam, flagParam, pageParam, type RawSearch, textParam } from '../../../lib/search-params.ts';

const views = ['conflicts'] as const;

export interface ContactsSearch {
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly company?: string | undefined;
  readonly page?: number | undefined;
  /** Shows only legacy contacts with conflicting numbers. */
  readonly view?: (typeof views)[number] | undefined;
  /** The dialog that adds a contact is open. */
  readonly add?: true | undefined;
}

export const parseContactsSearch = (raw: RawSearch): ContactsSearch => ({
  search: textParam(raw.search),
  tag: textParam(raw.tag),
  company: textParam(raw.company),
  page: pageParam(raw.page),
  view: enumParam(views, raw.view),
  add: flagParam(raw.add),
});
