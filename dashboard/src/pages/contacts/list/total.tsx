import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { filterQuery } from './query.ts';
import type { ContactFilters } from './url-params.ts';

/** How many contacts a list has, as far as the service has counted. */
export interface Total {
  readonly total: number;
  /** The list has more contacts than `total`. */
  readonly total_is_capped: boolean;
}

/** The total of a list, and the heading that says it. The service counts the first 10,000 matches of a filter, and the others when the
 *  user asks for them. */
export const useTotal = <T extends Total>(
  listed: T | undefined,
  search: ContactFilters,
  isFiltered: boolean,
): { readonly pagination: T | undefined; readonly heading: ReactNode } => {
  const query = { ...filterQuery(search), limit: 1, count: 'exact' } as const;
  const key = JSON.stringify(query);
  const [asked, setAsked] = useState<string>();
  const isAsked = asked === key && listed?.total_is_capped === true;
  const counted = useQuery({ ...apiQuery('/contacts', { query }), enabled: isAsked });
  const exact = isAsked ? counted.data?.pagination.total : undefined;
  const pagination =
    listed && exact !== undefined ? { ...listed, total: exact, total_is_capped: false } : listed;
  if (!pagination) return { pagination, heading: t('The people your agents talk to.') };
  const { total, total_is_capped } = pagination;
  if (!total_is_capped)
    return {
      pagination,
      heading: isFiltered ? plural(total, '# match', '# matches') : plural(total, '# contact', '# contacts'),
    };
  return {
    pagination,
    heading: (
      <span className="flex flex-wrap items-center gap-x-2">
        {t('More than {count} matches', { count: total })}
        <Button
          size="small"
          variant="quiet"
          className="-my-1.5"
          busy={counted.isFetching}
          onClick={() => (isAsked ? void counted.refetch() : setAsked(key))}
        >
          {t('Count all')}
        </Button>
      </span>
    ),
  };
};
