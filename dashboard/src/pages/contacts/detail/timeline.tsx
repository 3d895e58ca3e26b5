import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { TimelineEntryItem } from './timeline-entry.tsx';
import { kindLabels } from './timeline-labels.ts';
import { type TimelineKind, timelineKinds } from './url-params.ts';

const PAGE_SIZE = 20;

export const useTimeline = (id: string, kinds: readonly TimelineKind[]) =>
  useInfiniteQuery({
    // The path comes first, so that `invalidate` finds it.
    queryKey: ['/contacts/{id}/timeline', id, kinds.join()],
    queryFn: ({ pageParam, signal }) =>
      call('GET', '/contacts/{id}/timeline', {
        params: { id },
        query: {
          limit: PAGE_SIZE,
          ...(kinds.length > 0 && { kinds: kinds.join() }),
          ...(pageParam && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => data.next_cursor,
  });

/** Everything that happened to a contact, newest first. `kinds` are those to show; none means all. */
export const Timeline = ({
  id,
  kinds,
  onKinds,
}: {
  readonly id: string;
  readonly kinds: readonly TimelineKind[];
  readonly onKinds: (kinds: readonly TimelineKind[]) => void;
}) => {
  const user = useCurrentUser();
  const list = useTimeline(id, kinds);
  const entries = list.data?.pages.flatMap(({ data }) => data.entries) ?? [];
  const toggle = (kind: TimelineKind) =>
    onKinds(kinds.includes(kind) ? kinds.filter((each) => each !== kind) : [...kinds, kind]);
  return (
    <Section
      title={t('Timeline')}
      actions={
        user.role === 'owner' && (
          <Link to="/audit-log" search={{ record: id }} className="text-sm text-muted hover:underline">
            {t('Audit log')}
          </Link>
        )
      }
    >
      <fieldset className="mb-4 flex flex-wrap gap-1.5">
        <legend className="sr-only">{t('Show only')}</legend>
        {timelineKinds.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={kinds.includes(kind)}
            onClick={() => toggle(kind)}
            className={cx(
              'h-8 rounded-full border px-3 text-[0.8125rem] font-medium max-sm:h-10',
              kinds.includes(kind)
                ? 'border-accent bg-accent-soft text-accent-ink'
                : 'border-line text-muted hover:bg-sunken hover:text-ink',
            )}
          >
            {kindLabels[kind]}
          </button>
        ))}
        {kinds.length > 0 && (
          <Button size="small" variant="quiet" onClick={() => onKinds([])}>
            {t('Show all')}
          </Button>
        )}
      </fieldset>
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data ? (
        <div className="flex flex-col gap-3" aria-busy>
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-2/3" />
        </div>
      ) : entries.length === 0 ? (
        <p className="text-sm text-muted">{t('No activity of this kind yet.')}</p>
      ) : (
        <>
          <ol aria-label={t('Timeline')}>
            {entries.map((entry) => (
              <TimelineEntryItem key={`${entry.kind} ${entry.id}`} entry={entry} contact={id} />
            ))}
          </ol>
          <p role="status" className="sr-only">
            {plural(entries.length, '# entry', '# entries')}
          </p>
          {list.hasNextPage && (
            <Button size="small" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('Show older entries')}
            </Button>
          )}
        </>
      )}
    </Section>
  );
};
