import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Merge as MergeIcon, Undo2, UserX } from 'lucide-react';
import { useEffect } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Duplicate } from '../../../api/types.gen.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { contactName, numberText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ComparisonTable } from '../../../records/merges/comparison.tsx';
import { oldestStays } from '../../../records/merges/requests.ts';
import { useComparison } from '../../../records/merges/use-comparison.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { focusPage } from '../../../ui/dialog-content.tsx';
import { KeyHint } from '../../../ui/keyboard.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { reasonLabels, strengthLabels } from '../labels.ts';
import { groupsQuery } from './query.ts';

const route = getRouteApi('/app/duplicates');

/** The steps to other groups of the list. */
const useSteps = (id: string) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(groupsQuery(search));
  const groups = list.data?.pages.flatMap(({ data }) => data.duplicates) ?? [];
  const at = groups.findIndex((each) => each.id === id);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const isLast = at === groups.length - 1;
  useEffect(() => {
    if (isLast && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isLast, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const open = (group: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, group }), replace: true });
  return {
    groups,
    at,
    hasMore: hasNextPage,
    step: (by: 1 | -1) => {
      const target = at === -1 ? groups[0] : groups[at + by];
      if (target) open(target.id);
    },
    /** Opens the next group after one is done; groups of merged contacts are not shown again. */
    leave: (merged: readonly string[] = []) => {
      const rest = [...groups.slice(at + 1), ...groups.slice(0, Math.max(at, 0))];
      open(rest.find(({ contacts }) => !contacts.some((each) => merged.includes(each.id)))?.id);
    },
  };
};
type Steps = ReturnType<typeof useSteps>;

/** A group: its contacts side by side, with the decision about them. */
const GroupPage = ({ id }: { readonly id: string }) => {
  const search = route.useSearch();
  const steps = useSteps(id);
  const listed = steps.groups[steps.at];
  const query = useQuery({ ...apiQuery('/duplicates/{id}', { params: { id } }), enabled: !listed });
  const group = listed ?? query.data?.data;
  const { at, groups, hasMore, step } = steps;
  useShortcut('j', t('Next group'), () => step(1));
  useShortcut('k', t('Previous group'), () => step(-1));
  useEffect(() => {
    if (document.activeElement === document.body) focusPage();
  }, []);
  return (
    <Page
      title={t('Likely duplicates')}
      back={{ to: '/duplicates', label: t('Duplicates'), search: { ...search, group: undefined } }}
      description={
        group && (
          <span className="flex flex-wrap items-center gap-2">
            {reasonLabels[group.reason]}
            <Badge tone={strengthLabels[group.strength].tone}>{strengthLabels[group.strength].label}</Badge>
          </span>
        )
      }
      actions={
        <>
          <IconButton
            label={t('Previous group (K)')}
            icon={<ChevronUp aria-hidden />}
            disabled={at <= 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label={t('Next group (J)')}
            icon={<ChevronDown aria-hidden />}
            disabled={at === groups.length - 1}
            onClick={() => step(1)}
          />
          {at !== -1 && (
            <span className="figure text-[0.8125rem] text-muted" aria-live="polite">
              {t('{count} of {total}', {
                count: numberText(at + 1),
                total: `${numberText(groups.length)}${hasMore ? '+' : ''}`,
              })}
            </span>
          )}
        </>
      }
    >
      {group ? (
        // Other contacts are another decision.
        <Group key={group.contacts.map((each) => each.id).join()} group={group} steps={steps} />
      ) : query.isError ? (
        <div className="card">
          <ErrorState error={query.error} />
        </div>
      ) : (
        <Skeleton className="h-96 w-full rounded-xl" />
      )}
    </Page>
  );
};

const dismissalOf = (id: string) => ({ params: { id } });
const restore = async (id: string): Promise<void> => {
  await call('DELETE', '/duplicates/{id}/dismissal', dismissalOf(id));
  await invalidate('/duplicates');
};

const Group = ({ group, steps }: { readonly group: Duplicate; readonly steps: Steps }) => {
  const { id, contacts, dismissed, dismissed_pairs } = group;
  const { survivor_id, other_ids } = oldestStays(group);
  const names = new Map(contacts.map((each) => [each.id, contactName(each)]));
  const comparison = useComparison([survivor_id, ...other_ids], names, (merge) =>
    steps.leave([merge.survivor_id, ...merge.other_ids]),
  );
  const { shown, isReady, isMerging, merge } = comparison;
  const dismiss = useMutation({
    mutationFn: () => call('POST', '/duplicates/{id}/dismiss', dismissalOf(id)),
    onSuccess: () => {
      toast.undo(t('Marked as different people.'), () => restore(id));
      steps.leave();
      void invalidate('/duplicates');
    },
    onError: (error) => toast.failed(error),
  });
  const undoDismissal = useMutation({
    mutationFn: () => restore(id),
    onSuccess: () => steps.leave(),
    onError: (error) => toast.failed(error),
  });
  useShortcut('m', t('Merge the group'), merge, { applies: () => isReady });
  useShortcut('x', dismissed ? undefined : t('Not the same person'), () => dismiss.mutate(), {
    applies: () => !dismiss.isPending && !isMerging,
  });
  return (
    <>
      {dismissed_pairs.length > 0 && !dismissed && (
        <Notice className="mb-4">
          {t('Some of these contacts were marked as different people before. Leave out those that are.')}
        </Notice>
      )}
      <div className="card mb-4 p-4 sm:p-5">
        <ComparisonTable comparison={comparison} />
      </div>
      <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-2 border-t border-line bg-canvas px-4 py-3 sm:mx-0 sm:px-0">
        <Button variant="primary" busy={isMerging} disabled={!isReady} onClick={merge}>
          <MergeIcon aria-hidden />
          {plural(shown.length, 'Merge # contact', 'Merge # contacts')}
          <span aria-hidden className="max-sm:hidden">
            <KeyHint keys="m" />
          </span>
        </Button>
        {dismissed ? (
          <Button busy={undoDismissal.isPending} onClick={() => undoDismissal.mutate()}>
            <Undo2 aria-hidden />
            {t('Review again')}
          </Button>
        ) : (
          <Button busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
            <UserX aria-hidden />
            {t('Not the same person')}
            <span aria-hidden className="max-sm:hidden">
              <KeyHint keys="x" />
            </span>
          </Button>
        )}
      </div>
    </>
  );
};

export default GroupPage;
