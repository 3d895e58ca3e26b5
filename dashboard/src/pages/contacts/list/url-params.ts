import { dateRangeParam } from '../../../lib/date-range.ts';
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

const views = ['conflicts'] as const;
const sorts = ['name', 'created_at', 'updated_at', 'last_contact_at'] as const;
export const sources = ['api', 'import', 'manual', 'inbound', 'webhook'] as const;
const answers = ['yes', 'no'] as const;
const matches = ['any', 'all'] as const;

const filterParams = (raw: RawSearch) => ({
  search: textParam(raw.search),
  tag: textParam(raw.tag),
  /** Several tags, separated by commas. */
  tags: listParam(raw.tags),
  tags_match: enumParam(matches, raw.tags_match),
  source: enumParam(sources, raw.source),
  company: textParam(raw.company),
  campaign: textParam(raw.campaign),
  import: textParam(raw.import),
  /** Ranges of days. */
  created: dateRangeParam(raw.created),
  activity: dateRangeParam(raw.activity),
  email: enumParam(answers, raw.email),
  named: enumParam(answers, raw.named),
  enrolled: enumParam(answers, raw.enrolled),
  called: enumParam(answers, raw.called),
});

/** The filters of the contact list. */
export type ContactFilters = Partial<ReturnType<typeof filterParams>>;

export interface ContactsSearch extends ContactFilters {
  readonly sort?: ReturnType<typeof sortParam<(typeof sorts)[number]>>;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly columns?: string | undefined;
  /** A saved view. */
  readonly view_id?: string | undefined;
  /** Shows only legacy contacts with conflicting numbers. */
  readonly view?: (typeof views)[number] | undefined;
  /** The dialog that adds a contact is open. */
  readonly add?: true | undefined;
}

export const parseContactsSearch = (raw: RawSearch): ContactsSearch => ({
  ...filterParams(raw),
  sort: sortParam(sorts, raw.sort),
  page: pageParam(raw.page),
  size: sizeParam(raw.size),
  columns: listParam(raw.columns),
  view_id: textParam(raw.view_id),
  view: enumParam(views, raw.view),
  add: flagParam(raw.add),
});
