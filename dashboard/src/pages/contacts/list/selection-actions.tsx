import { useMutation } from '@tanstack/react-query';
import { Download, Megaphone, Merge, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '../../../api/types.gen.ts';
import { exportSelection } from '../../../app/bulk-jobs/start.ts';
import { t } from '../../../lib/i18n.ts';
import { MergeContacts } from '../../../records/merges/lazy.tsx';
import { MAX_MERGED } from '../../../records/merges/max-merged.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { toast } from '../../../ui/toast.tsx';
import { BulkDelete, BulkEnroll, BulkTag } from './lazy-dialogs.tsx';
import { bulkSelectionOf, countOf } from './selection.ts';
import { selectionNote } from './selection-text.tsx';
import type { Total } from './total.tsx';
import type { useSelection } from './use-selection.ts';

const dialogs = { tag: BulkTag, enroll: BulkEnroll, delete: BulkDelete } as const;

/** Without a number if it is not known: selecting them counts them. */
const selectAllLabel = ({ total, total_is_capped }: Total, isFiltered: boolean): string => {
  if (total_is_capped) return t('Select all matching');
  return isFiltered ? t('Select all {total} matching', { total }) : t('Select all {total}', { total });
};

/** The bulk actions for selected contacts, and the action to select all matching contacts. */
export const SelectionActions = ({
  selection,
  rows,
  pagination,
  isFiltered,
}: {
  readonly selection: ReturnType<typeof useSelection>;
  /** The contacts on the current page. */
  readonly rows: readonly Contact[];
  readonly pagination: Total | undefined;
  readonly isFiltered: boolean;
}) => {
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const { chosen, clear, select, selectAll } = selection;
  const all = useMutation({ mutationFn: selectAll, onError: (error) => toast.failed(error) });
  const download = useMutation({
    mutationFn: () => exportSelection(bulkSelectionOf(chosen)),
    onError: (error) => toast.failed(error),
  });
  const isPicked = chosen.kind === 'picked';
  const hasPage = isPicked && rows.length > 0 && rows.every(({ id }) => chosen.ids.has(id));
  const canMerge = isPicked && chosen.ids.size > 1 && chosen.ids.size <= MAX_MERGED;
  const [merged, setMerged] = useState<readonly string[]>();
  const Open = open && dialogs[open];
  return (
    <>
      <SelectionBar count={countOf(chosen)} note={selectionNote(chosen)} onClear={clear}>
        {isPicked && !hasPage && (
          // Replaces the checkbox in the table header, which is hidden on phones.
          <Button
            size="small"
            variant="quiet"
            className="sm:hidden"
            onClick={() => select(rows, new Set([...chosen.ids, ...rows.map(({ id }) => id)]))}
          >
            {t('Select page')}
          </Button>
        )}
        {hasPage && pagination && pagination.total > rows.length && (
          <Button size="small" variant="quiet" busy={all.isPending} onClick={() => all.mutate()}>
            {selectAllLabel(pagination, isFiltered)}
          </Button>
        )}
        <Button size="small" onClick={() => setOpen('tag')}>
          <Tag aria-hidden />
          {t('Tag')}
        </Button>
        <Button size="small" onClick={() => setOpen('enroll')}>
          <Megaphone aria-hidden />
          {t('Enroll')}
        </Button>
        <Button size="small" busy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden />
          {t('Export')}
        </Button>
        {canMerge && (
          <Button size="small" onClick={() => setMerged([...chosen.ids])}>
            <Merge aria-hidden />
            {t('Merge')}
          </Button>
        )}
        <Button size="small" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden />
          {t('Delete')}
        </Button>
      </SelectionBar>
      {merged && (
        <MergeContacts
          ids={merged}
          onClose={() => setMerged(undefined)}
          onMerged={() => {
            setMerged(undefined);
            clear();
          }}
        />
      )}
      {Open && (
        <Open
          selection={chosen}
          onClose={(isDone) => {
            setOpen(undefined);
            if (isDone) clear();
          }}
        />
      )}
    </>
  );
};
