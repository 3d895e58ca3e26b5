import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { numberText, t } from '../lib/i18n.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { rememberRow } from '../ui/last-row.ts';
import { toast } from '../ui/toast.tsx';
import { type OpenList, openLists } from './open-lists.ts';
import { useShortcut } from './shortcuts.ts';

/** The steps from the open record to its neighbors, also on other pages of the list; undefined if the list does not have the record. */
export const useNeighbors = (open: string, list: OpenList, onOpen: (id: string, page: number) => void) => {
  const { shown, page, size } = list;
  const rows = shown?.data ?? [];
  const hasMore = shown?.pagination.has_more ?? false;
  const [isLoading, setLoading] = useState(false);
  const last = useRef(-1);
  const at = rows.findIndex(({ id }) => id === open);
  if (at !== -1) last.current = at;
  if (last.current === -1) return undefined;
  // A record that no longer matches the filters has left its place to the next one.
  const after = rows[at === -1 ? last.current : at + 1];
  const before = rows[(at === -1 ? last.current : at) - 1];
  const show = (id: string, at: number) => {
    rememberRow(id);
    onOpen(id, at);
  };
  const step = (by: 1 | -1) => {
    const target = by === 1 ? after : before;
    if (target) return show(target.id, page);
    if (isLoading || (by === 1 ? !hasMore : page === 1)) return;
    setLoading(true);
    list
      .load(page + by)
      .then((others) => {
        const other = others.data.at(by === 1 ? 0 : -1);
        if (other) show(other.id, page + by);
      })
      .catch((error: unknown) => toast.failed(error))
      .finally(() => setLoading(false));
  };
  return {
    position: at === -1 ? undefined : (page - 1) * size + at + 1,
    total: shown?.pagination.total,
    isCapped: shown?.pagination.total_is_capped ?? false,
    hasPrevious: before !== undefined || page > 1,
    hasNext: after !== undefined || hasMore,
    step,
  };
};

/** Buttons and keys for the previous and the next record. */
export const Neighbors = ({
  neighbors: { position, total = 0, isCapped, hasPrevious, hasNext, step },
  isOfDialog = false,
}: {
  readonly neighbors: NonNullable<ReturnType<typeof useNeighbors>>;
  readonly isOfDialog?: boolean;
}) => {
  useShortcut('j', t('Next record'), () => hasNext && step(1), { isOfDialog });
  useShortcut('k', t('Previous record'), () => hasPrevious && step(-1), { isOfDialog });
  return (
    <div className={cx('flex items-center gap-1', isOfDialog && 'mr-auto max-sm:w-full')}>
      <IconButton
        label={t('Previous record (K)')}
        icon={<ChevronUp aria-hidden />}
        disabled={!hasPrevious}
        onClick={() => step(-1)}
      />
      <IconButton
        label={t('Next record (J)')}
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

const none: OpenList = { shown: undefined, page: 1, size: 1, load: () => Promise.reject() };

/** The next and the previous record on the page of a record, in the order of the list that it was opened from. */
export const RecordNeighbors = ({
  list: path,
  id,
}: {
  readonly list: '/contacts' | '/agents';
  readonly id: string;
}) => {
  const navigate = useNavigate();
  const list = openLists.get(path) ?? none;
  const load = async (page: number) => {
    const shown = await list.load(page);
    openLists.set(path, { ...list, shown, page });
    return shown;
  };
  // Back returns to the list.
  const neighbors = useNeighbors(
    id,
    { ...list, load },
    (next) => void navigate({ to: `${path}/$id`, params: { id: next }, replace: true }),
  );
  return neighbors && <Neighbors neighbors={neighbors} />;
};
