import {
  enumParam,
  flagParam,
  listParam,
  pageParam,
  type RawSearch,
  sizeParam,
  sortParam,
  textParam,
} from '../../../lib/search-params.ts';

const views = ['conflicts', 'people'] as const;
const sorts = ['name', 'created_at', 'updated_at', 'last_contact_at'] as const;

/** Parameters that links have instead of a filter, such as `tag=vip`, and those of former versions. The page makes them part of its
 *  filter (see short-filters.ts). */
export const shortFilters = [
  'tag',
  'tags',
  'tags_match',
  'source',
  'company',
  'campaign',
  'import',
  'created',
  'activity',
  'email',
  'named',
  'enrolled',
  'called',
] as const;

/** The filters of the contact list. */
export interface ContactFilters {
  readonly search?: string | undefined;
  /** A filter as JSON. */
  readonly filter?: string | undefined;
}

export interface ContactsSearch
  extends ContactFilters,
    Partial<Record<(typeof shortFilters)[number], string | undefined>> {
  readonly sort?: ReturnType<typeof sortParam<(typeof sorts)[number]>>;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** The segment that was opened. */
  readonly segment?: string | undefined;
  /** Shows legacy contacts with conflicting numbers, or people without a contact, instead. */
  readonly view?: (typeof views)[number] | undefined;
  /** The contact that is shown beside the list. */
  readonly peek?: string | undefined;
  /** The dialog that adds a contact is open. */
  readonly add?: true | undefined;
}

export const parseContactsSearch = (raw: RawSearch): ContactsSearch => ({
  ...Object.fromEntries(shortFilters.map((name) => [name, textParam(raw[name])])),
  search: textParam(raw.search),
  filter: textParam(raw.filter),
  sort: sortParam(sorts, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  segment: textParam(raw.segment),
  view: enumParam(views, raw.view),
  peek: textParam(raw.peek),
  add: flagParam(raw.add),
});
