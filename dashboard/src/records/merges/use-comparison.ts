import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorDetail, errorMessage, isApiError } from '../../api/api-error.ts';
import type { Merge } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { MAX_MERGED } from './max-merged.ts';
import { namesIn } from './plan-values.ts';
import { mergeAsPlanned, offerUndo, planQuery, refetchMerged } from './requests.ts';

/** The decisions about contacts that may be the same person, and the plan of their merge. The first contact stays unless the user chooses
 *  another one. Contacts beyond the maximum are left out first. */
export const useComparison = (
  ids: readonly string[],
  known: ReadonlyMap<string, string>,
  onMerged: (merge: Merge) => void,
) => {
  const [survivor, chooseSurvivor] = useState(ids[0] ?? '');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(ids.slice(MAX_MERGED)));
  const [choices, setChoices] = useState<Readonly<Record<string, string>>>({});
  const shown = ids.filter((id) => !left.has(id));
  const stays = shown.includes(survivor) ? survivor : (shown[0] ?? '');
  const request = {
    survivor_id: stays,
    other_ids: shown.filter((id) => id !== stays),
    choices: Object.fromEntries(Object.entries(choices).filter(([, id]) => shown.includes(id))),
  };
  const canPlan = shown.length > 1;
  const plan = useQuery({ ...planQuery(request), enabled: canPlan, placeholderData: keepPreviousData });
  const names = useRef(new Map(known));
  for (const [id, name] of plan.data ? namesIn(plan.data) : []) names.current.set(id, name);
  const merge = useMutation({
    mutationFn: async () => (plan.data ? await mergeAsPlanned(request, plan.data) : undefined),
    onSuccess: (done) => {
      if (!done) return;
      offerUndo(done, names.current.get(stays) ?? '');
      void refetchMerged();
      onMerged(done);
    },
    onError: (error) => {
      if (isApiError(error, 'CONFLICT')) void plan.refetch();
    },
  });
  const isReady = canPlan && plan.isSuccess && !plan.isFetching && !plan.isPlaceholderData;
  return {
    shown,
    stays,
    choices,
    left: [...left].filter((id) => ids.includes(id)),
    names: names.current as ReadonlyMap<string, string>,
    plan,
    isReady: isReady && !merge.isPending,
    isMerging: merge.isPending,
    problem:
      isApiError(merge.error, 'CONFLICT') && errorDetail(merge.error, 'merge_id') === undefined
        ? t('Something was changed since this plan, so nothing was merged. Review the new plan.')
        : merge.isError
          ? errorMessage(merge.error)
          : undefined,
    chooseSurvivor,
    choose: (field: string, id: string) => setChoices((now) => ({ ...now, [field]: id })),
    leaveOut: (id: string) => setLeft((now) => new Set([...now, id])),
    include: (id: string) => setLeft((now) => new Set([...now].filter((each) => each !== id))),
    merge: () => {
      if (isReady && !merge.isPending) merge.mutate();
    },
  };
};
export type Comparison = ReturnType<typeof useComparison>;
