import type { ContactFilter } from '../../../api/types.gen.ts';
import type { ContactFilters, ContactsSearch } from './url-params.ts';

/** The order by last contact is that of the calls and messages, like the column and the filter. */
export const sortQuery = (sort: ContactsSearch['sort']) =>
  sort === 'last_contact_at'
    ? ('last_activity_at' as const)
    : sort === '-last_contact_at'
      ? ('-last_activity_at' as const)
      : sort;

export const isFiltered = ({ search, filter }: ContactFilters): boolean => Boolean(search || filter);

/** The filters as the service expects them in a query. */
export const filterQuery = ({ search, filter }: ContactFilters) => ({ search, filter });

/** The filters as the service expects them in the body of a bulk job. */
export const filterBody = ({ search, filter }: ContactFilters): ContactFilter => ({
  ...(search && { search }),
  ...(filter && { filter: JSON.parse(filter) }),
});

/** Two lists with the same filter have the same key. */
export const filterKey = (filter: ContactFilters): string => JSON.stringify(filterBody(filter));
