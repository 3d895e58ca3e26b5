import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { apiQuery } from '../../../api/query.ts';
import { useDebounced } from '../../../app/debounced-text.ts';
import { plural, t } from '../../../lib/i18n.ts';
import type { FilterTree } from './tree.ts';

const SLOW_MS = 2_000;

/** Whether something has been going on for longer than two seconds. */
const useIsSlow = (isGoingOn: boolean): boolean => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isGoingOn) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isGoingOn]);
  return isSlow;
};

/** `12 contacts match`, or `10,000+ contacts match` if the service did not count further. */
export const matchText = ({
  total,
  total_is_capped,
}: {
  readonly total: number;
  readonly total_is_capped: boolean;
}): string =>
  total_is_capped
    ? t('{count}+ contacts match', { count: total })
    : plural(total, '# contact matches', '# contacts match');

/** How many contacts match a filter now. */
export const MatchCount = ({ tree }: { readonly tree: FilterTree | undefined }) => {
  const filter = useDebounced(JSON.stringify(tree) ?? '');
  const count = useQuery({
    ...apiQuery('/contacts', { query: { filter: filter || undefined, limit: 1 } }),
    placeholderData: keepPreviousData,
  });
  const isSlow = useIsSlow(count.isFetching);
  return (
    <p aria-live="polite" className="figure flex min-h-5 items-center gap-2 text-sm font-medium">
      {count.isError ? (
        <span className="text-danger-ink">{errorMessage(count.error)}</span>
      ) : (
        count.data && matchText(count.data.pagination)
      )}
      {isSlow && (
        <span className="flex items-center gap-1.5 font-normal text-muted">
          <LoaderCircle className="size-4 animate-spin" aria-hidden />
          {t('Counting…')}
        </span>
      )}
    </p>
  );
};
