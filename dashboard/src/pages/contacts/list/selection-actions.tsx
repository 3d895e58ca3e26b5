import { useMutation } from '@tanstack/react-query';
import { Download, Megaphone, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Contact } from '../../../api/types.gen.ts';
import { numberText } from '../../../app/format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { toast } from '../../../ui/toast.tsx';
import { DeleteMany } from './bulk-delete.tsx';
import { EnrollMany } from './bulk-enroll.tsx';
import { TagMany } from './bulk-tag.tsx';
import { exportCsv } from './export.tsx';
import { countOf, type useSelection } from './selection.ts';

/** The maximum number of exclusions that the export accepts. */
const MOST_EXCEPTIONS = 100;
const TOO_MANY = `Exports can exclude at most ${MOST_EXCEPTIONS} contacts.`;

const dialogs = { tag: TagMany, enroll: EnrollMany, delete: DeleteMany } as const;

/** The bulk actions for selected contacts, and the action to select all matching contacts. */
export const SelectionActions = ({
  selection,
  rows,
  total,
  isNarrowed,
}: {
  readonly selection: ReturnType<typeof useSelection>;
  /** The contacts on the current page. */
  readonly rows: readonly Contact[];
  readonly total: number;
  readonly isNarrowed: boolean;
}) => {
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const { chosen, clear, tick, pickAll } = selection;
  const all = useMutation({ mutationFn: pickAll, onError: (error) => toast.failed(error) });
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
            look="quiet"
            className="sm:hidden"
            onClick={() => tick(rows, new Set([...chosen.ids, ...rows.map(({ id }) => id)]))}
          >
            Select page
          </Button>
        )}
        {hasPage && total > rows.length && (
          <Button size="small" look="quiet" busy={all.isPending} onClick={() => all.mutate()}>
            Select all {numberText(total)}
            {isNarrowed && ' matching'}
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
            disabled={chosen.except.size > MOST_EXCEPTIONS}
            title={chosen.except.size > MOST_EXCEPTIONS ? TOO_MANY : undefined}
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
          chosen={chosen}
          onClose={(isDone) => {
            setOpen(undefined);
            if (isDone) clear();
          }}
        />
      )}
    </>
  );
};
