import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queryClient } from '../../../api/query.ts';
import type { Duplicate, Merge } from '../../../api/types.gen.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { MAX_MERGED } from '../../../records/merges/max-merged.ts';
import {
  isClear,
  mergeAsPlanned,
  oldestStays,
  planQuery,
  refetchMerged,
  undoMerge,
} from '../../../records/merges/requests.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { DuplicatesSearch } from './url-params.ts';

/** How many groups one run checks, newest first. */
const MAX_GROUPS = 200;
const PAGE = 100;
const MAX_NAMED = 5;

const strongGroups = async (
  reason: DuplicatesSearch['reason'],
): Promise<{ groups: Duplicate[]; hasMore: boolean }> => {
  const groups: Duplicate[] = [];
  let cursor: string | null = '';
  while (cursor !== null && groups.length < MAX_GROUPS) {
    const answer: { data: { duplicates: readonly Duplicate[]; next_cursor: string | null } } = await call(
      'GET',
      '/duplicates',
      { query: { strength: 'strong', limit: PAGE, ...(reason && { reason }), ...(cursor && { cursor }) } },
    );
    groups.push(...answer.data.duplicates);
    cursor = answer.data.next_cursor;
  }
  return { groups, hasMore: cursor !== null };
};

/** The plan of a group, if nothing has to be decided. */
const clearPlan = async (group: Duplicate) => {
  if (group.contacts.length > MAX_MERGED || group.dismissed_pairs.length > 0) return undefined;
  const plan = await queryClient.fetchQuery({ ...planQuery(oldestStays(group)), staleTime: 0 });
  return isClear(plan) ? plan : undefined;
};

const nameOf = ({ contacts }: Duplicate, id: string): string => {
  const contact = contacts.find((each) => each.id === id);
  return contact ? contactName(contact) : id;
};
const survivorName = (group: Duplicate): string => nameOf(group, oldestStays(group).survivor_id);

interface Outcome {
  readonly group: Duplicate;
  readonly merge?: Merge;
  readonly reason?: string;
}

type Step =
  | { readonly name: 'checking' | 'merging'; readonly done: number; readonly of: number }
  | { readonly name: 'planned' | 'done' };

const MergedLine = ({ group, merge, reason }: Outcome) => {
  const [isUndone, setUndone] = useState(false);
  const undo = async () => {
    setUndone(true);
    await undoMerge(merge?.id ?? '').catch((error: unknown) => {
      setUndone(false);
      toast.failed(error);
    });
  };
  return (
    <li className="flex min-h-10 items-center gap-2 py-1">
      <span className="min-w-0 flex-1 wrap-anywhere">
        <bdi className="font-medium">{survivorName(group)}</bdi>
        {reason !== undefined && <span className="text-muted"> {t('Skipped: {reason}', { reason })}</span>}
        {isUndone && <span className="text-muted"> {t('Undone')}</span>}
      </span>
      {merge && !isUndone && (
        <Button size="small" onClick={() => void undo()}>
          {t('Undo')}
        </Button>
      )}
    </li>
  );
};

/** Merges the groups that are very likely one person and need no decision, one after the other. */
const BulkMerge = ({
  reason,
  onClose,
}: {
  readonly reason: DuplicatesSearch['reason'];
  readonly onClose: () => void;
}) => {
  const [step, setStep] = useState<Step>({ name: 'checking', done: 0, of: 0 });
  const [clear, setClear] = useState<readonly Duplicate[]>([]);
  const [others, setOthers] = useState({ count: 0, hasMore: false });
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [error, setError] = useState<unknown>();
  const isStopped = useRef(false);
  useEffect(() => {
    let isMounted = true;
    const check = async () => {
      const { groups, hasMore } = await strongGroups(reason);
      const found: Duplicate[] = [];
      const taken = new Set<string>();
      for (const [done, group] of groups.entries()) {
        if (!isMounted) return;
        setStep({ name: 'checking', done, of: groups.length });
        const ids = group.contacts.map(({ id }) => id);
        // Two groups of the same contacts are one case.
        if (ids.some((id) => taken.has(id))) continue;
        if (!(await clearPlan(group).catch(() => undefined))) continue;
        found.push(group);
        for (const id of ids) taken.add(id);
      }
      setClear(found);
      setOthers({ count: groups.length - found.length, hasMore });
      setStep({ name: 'planned' });
    };
    check().catch((failure: unknown) => isMounted && setError(failure));
    return () => {
      isMounted = false;
      isStopped.current = true;
    };
  }, [reason]);
  const mergeOne = async (group: Duplicate): Promise<Outcome> => {
    try {
      const plan = await clearPlan(group);
      if (!plan) return { group, reason: t('it was changed and needs a decision.') };
      return { group, merge: await mergeAsPlanned(oldestStays(group), plan) };
    } catch (failure) {
      return { group, reason: errorMessage(failure) };
    }
  };
  const run = async () => {
    isStopped.current = false;
    for (const [done, group] of clear.entries()) {
      if (isStopped.current) break;
      setStep({ name: 'merging', done, of: clear.length });
      const outcome = await mergeOne(group);
      setOutcomes((now) => [...now, outcome]);
    }
    setStep({ name: 'done' });
    void refetchMerged();
  };
  const isMerging = step.name === 'merging';
  const merged = outcomes.filter(({ merge }) => merge).length;
  return (
    <Dialog
      open
      title={t('Merge clear cases')}
      onOpenChange={() => !isMerging && onClose()}
      preventDismiss={isMerging}
      footer={
        isMerging ? (
          <Button onClick={() => (isStopped.current = true)}>{t('Stop')}</Button>
        ) : (
          <>
            <DialogClose>{step.name === 'done' ? t('Close') : t('Cancel')}</DialogClose>
            {step.name !== 'done' && (
              <Button
                variant="primary"
                disabled={step.name !== 'planned' || clear.length === 0}
                onClick={() => void run()}
              >
                {clear.length === 0
                  ? t('Merge')
                  : plural(clear.length, 'Merge # clear case', 'Merge # clear cases')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {error !== undefined && <Notice tone="danger">{errorMessage(error)}</Notice>}
        {(step.name === 'checking' || step.name === 'merging') && error === undefined && (
          <ProgressBar
            label={isMerging ? t('Merging groups') : t('Checking groups')}
            max={step.of}
            {...(step.of > 0 && { value: step.done })}
          />
        )}
        {step.name === 'planned' && (
          <>
            <p>
              {clear.length === 0
                ? t('No group is clear: in each, a value has to be chosen.')
                : plural(
                    clear.length,
                    '# group is very likely one person, and its contacts contradict each other in no field.',
                    '# groups are very likely one person each, and their contacts contradict each other in no field.',
                  )}{' '}
              {others.count > 0 &&
                plural(
                  others.count,
                  '# other group is left for you.',
                  '# other groups are left for you.',
                )}{' '}
              {others.hasMore && t('Only the {max} newest groups were checked.', { max: MAX_GROUPS })}
            </p>
            {clear.length > 0 && (
              <>
                <ul className="list-disc pl-5 wrap-anywhere">
                  {clear.slice(0, MAX_NAMED).map((group) => (
                    <li key={group.id}>
                      <bdi>{group.contacts.map((contact) => contactName(contact)).join(' + ')}</bdi>
                    </li>
                  ))}
                  {clear.length > MAX_NAMED && (
                    <li>{plural(clear.length - MAX_NAMED, 'and # more', 'and # more')}</li>
                  )}
                </ul>
                <p className="text-muted">
                  {t(
                    'In each group, the contact that was added first stays, with its number. The other numbers stay as further numbers. Each merge can be undone for 30 days.',
                  )}
                </p>
              </>
            )}
          </>
        )}
        {step.name === 'done' && (
          <p role="status" className="font-medium">
            {plural(merged, '# group merged', '# groups merged')}
            {outcomes.length > merged &&
              ` · ${plural(outcomes.length - merged, '# group skipped', '# groups skipped')}`}
            {clear.length > outcomes.length &&
              ` · ${plural(clear.length - outcomes.length, '# group not started', '# groups not started')}`}
          </p>
        )}
        {outcomes.length > 0 && (
          <ul className="max-h-80 divide-y divide-line overflow-y-auto">
            {outcomes.map((outcome) => (
              <MergedLine key={outcome.group.id} {...outcome} />
            ))}
          </ul>
        )}
      </div>
      <UnsavedGuard
        when={isMerging}
        title={t('Stop merging?')}
        message={t('The groups that are not merged yet stay as they are.')}
      />
    </Dialog>
  );
};

export default BulkMerge;
