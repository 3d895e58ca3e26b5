import type { ContactFilter } from '../../../api/types.gen.ts';
import { workspaceTimeRange } from '../../../app/time-zone.ts';
import { toList } from '../../../lib/search-params.ts';
import type { ContactFilters, ContactsSearch } from './url-params.ts';

const flagOf = (answer: 'yes' | 'no' | undefined) =>
  answer === undefined ? undefined : answer === 'yes' ? ('true' as const) : ('false' as const);

/** The order by last contact is that of the calls and messages, like the column and the filter. */
export const sortQuery = (sort: ContactsSearch['sort']) =>
  sort === 'last_contact_at'
    ? ('last_activity_at' as const)
    : sort === '-last_contact_at'
      ? ('-last_activity_at' as const)
      : sort;

/** The filters as the service expects them in a query. */
export const filterQuery = (search: ContactFilters) => {
  const created = workspaceTimeRange(search.created);
  const activity = workspaceTimeRange(search.activity);
  return {
    search: search.search,
    tag: search.tag,
    has_tag: search.tags,
    has_tag_match: search.tags_match,
    source: search.source,
    company: search.company,
    campaign: search.campaign,
    import: search.import,
    created_since: created.since,
    created_before: created.before,
    last_activity_since: activity.since,
    last_activity_before: activity.before,
    has_email: flagOf(search.email),
    has_name: flagOf(search.named),
    in_campaign: flagOf(search.enrolled),
    called: flagOf(search.called),
  };
};

const isGiven = ([, value]: [string, unknown]) => value !== undefined && value !== '';

/** The filters as the service expects them in the body of a bulk job. */
export const filterBody = (search: ContactFilters): ContactFilter => {
  const { has_tag, has_email, has_name, in_campaign, called, ...texts } = filterQuery(search);
  const flags = Object.entries({ has_email, has_name, in_campaign, called }).filter(isGiven);
  return {
    ...Object.fromEntries(Object.entries(texts).filter(isGiven)),
    ...Object.fromEntries(flags.map(([name, flag]) => [name, flag === 'true'])),
    ...(has_tag && { has_tag: [...toList(has_tag)] }),
  };
};
