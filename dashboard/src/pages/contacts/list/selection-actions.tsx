import { useMutation } from '@tanstack/react-query';
import { Download, Megaphone, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { toast } from '../../../ui/toast.tsx';
import { BulkDelete } from './bulk-delete.tsx';
import { BulkEnroll } from './bulk-enroll.tsx';
import { BulkTag } from './bulk-tag.tsx';
import { exportCsv } from './export.tsx';
import { countOf, type useSelection } from './selection.ts';

/** The maximum number of exclusions that the export accepts. */
const MAX_EXCEPTIONS = 100;
const TOO_MANY_EXCEPTIONS = `Exports can exclude at most ${MAX_EXCEPTIONS} contacts.`;

const dialogs = { tag: BulkTag, enroll: BulkEnroll, delete: BulkDelete } as const;

/** The bulk actions for selected contacts, and the action to select all matching contacts. */
export const SelectionActions = ({
  selection,
  rows,
  total,
  isFiltered,
}: {
  readonly selection: ReturnType<typeof useSelection>;
  /** The contacts on the current page. */
  readonly rows: readonly Contact[];
  readonly total: number;
  readonly isFiltered: boolean;
}) => {
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const { chosen, clear, select, selectAll } = selection;
  const all = useMutation({ mutationFn: selectAll, onError: (error) => toast.failed(error) });
  const isPicked = chosen.kind === 'picked';
  const hasPage = isPicked && rows.length > 0 && rows.every(({ id }) => chosen.ids.has(id));
  const Open = open && dialogs[open];
  return (
    <>
      <SelectionBar count={countOf(chosen)} onClear={clear}>
        {isPicked && !hasPage && (
          // Replaces the checkbox in the table header, which is hidden on phones.
          <Button
            size="small"
            variant="quiet"
            className="sm:hidden"
            onClick={() => select(rows, new Set([...chosen.ids, ...rows.map(({ id }) => id)]))}
          >
            Select page
          </Button>
        )}
        {hasPage && total > rows.length && (
          <Button size="small" variant="quiet" busy={all.isPending} onClick={() => all.mutate()}>
            Select all {numberText(total)}
            {isFiltered && ' matching'}
          </Button>
        )}
        <Button size="small" onClick={() => setOpen('tag')}>
          <Tag aria-hidden />
          Tag
        </Button>
        <Button size="small" onClick={() => setOpen('enroll')}>
          <Megaphone aria-hidden />
          Enroll
        </Button>
        {chosen.kind === 'all' && (
          <Button
            size="small"
            disabled={chosen.except.size > MAX_EXCEPTIONS}
            title={chosen.except.size > MAX_EXCEPTIONS ? TOO_MANY_EXCEPTIONS : undefined}
            onClick={() => exportCsv(chosen.filter, chosen.except)}
          >
            <Download aria-hidden />
            Export
          </Button>
        )}
        <Button size="small" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      </SelectionBar>
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
