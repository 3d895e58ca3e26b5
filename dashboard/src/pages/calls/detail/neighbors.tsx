import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Call } from '../../../api/types.gen.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';

export interface OpenList {
  readonly rows: readonly Call[] | undefined;
  readonly page: number;
  readonly size: number;
  readonly total: number | undefined;
  readonly isCapped: boolean;
  readonly hasMore: boolean;
  /** Loads another page of the list. */
  readonly load: (page: number) => Promise<readonly Call[]>;
  readonly onOpen: (call: string, page: number) => void;
}

/** The steps from the open call to its neighbors, also on other pages of the list; undefined if the list does not have the call. */
export const useNeighbors = (open: string, list: OpenList) => {
  const { rows = [], page, size, total, isCapped, hasMore } = list;
  const [isLoading, setLoading] = useState(false);
  const last = useRef(-1);
  const at = rows.findIndex(({ id }) => id === open);
  if (at !== -1) last.current = at;
  if (last.current === -1) return undefined;
  // A call that no longer matches the filters has left its place to the next one.
  const after = rows[at === -1 ? last.current : at + 1];
  const before = rows[(at === -1 ? last.current : at) - 1];
  const step = (by: 1 | -1) => {
    const target = by === 1 ? after : before;
    if (target) return list.onOpen(target.id, page);
    if (isLoading || (by === 1 ? !hasMore : page === 1)) return;
    setLoading(true);
    list
      .load(page + by)
      .then((others) => {
        const other = others.at(by === 1 ? 0 : -1);
        if (other) list.onOpen(other.id, page + by);
      })
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setLoading(false));
  };
  return {
    position: at === -1 ? undefined : (page - 1) * size + at + 1,
    total,
    isCapped,
    hasPrevious: before !== undefined || page > 1,
    hasNext: after !== undefined || hasMore,
    step,
  };
};

/** Buttons and keys for the previous and the next call. */
export const Neighbors = ({
  neighbors: { position, total = 0, isCapped, hasPrevious, hasNext, step },
}: {
  readonly neighbors: NonNullable<ReturnType<typeof useNeighbors>>;
}) => {
  useShortcut('j', t('Next call'), () => hasNext && step(1), { isOfDialog: true });
  useShortcut('k', t('Previous call'), () => hasPrevious && step(-1), { isOfDialog: true });
  return (
    <div className="mr-auto flex items-center gap-1 max-sm:w-full">
      <IconButton
        label={t('Previous call (K)')}
        icon={<ChevronUp aria-hidden />}
        disabled={!hasPrevious}
        onClick={() => step(-1)}
      />
      <IconButton
        label={t('Next call (J)')}
        icon={<ChevronDown aria-hidden />}
        disabled={!hasNext}
        onClick={() => step(1)}
      />
      {position !== undefined && (
        <span className="figure px-1 text-[0.8125rem] text-muted" aria-live="polite">
          {t('{count} of {total}', {
            count: numberText(position),
            total: `${numberText(total)}${isCapped ? '+' : ''}`,
          })}
        </span>
      )}
    </div>
  );
};
