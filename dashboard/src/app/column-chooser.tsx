import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Popover } from '../ui/popover.tsx';
import type { ListView } from './list-view.ts';

/** Chooses the visible columns of a list. On phones a row is a card, so there it is hidden. */
export const ColumnChooser = <Row,>({ view }: { readonly view: ListView<Row> }) => {
  const [open, setOpen] = useState(false);
  const [, ...optional] = view.allColumns;
  const shown = view.columns.map(({ id }) => id);
  const toggle = (id: string, isShown: boolean) =>
    view.onColumns(
      view.allColumns
        .map((column) => column.id)
        .filter((each) => (each === id ? isShown : shown.includes(each))),
    );
  return (
    <Popover
      label={t('Columns')}
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button className="max-sm:hidden">
          <Columns3 aria-hidden />
          {t('Columns')}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 p-2">
        {optional.map(({ id, header }) => (
          <Checkbox
            key={id}
            label={header}
            checked={shown.includes(id)}
            onChange={(isShown) => toggle(id, isShown)}
          />
        ))}
        <Button size="small" variant="quiet" className="self-start" onClick={() => view.onColumns()}>
          {t('Reset columns')}
        </Button>
      </div>
    </Popover>
  );
};
