import { Columns3 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import type { ListView } from './list-view.ts';

const ColumnMenu = lazy(() => loadChunk(() => import('./column-menu.tsx')));

/** Chooses the columns of a list and the height of its rows. On phones a row is a card, so there it is hidden. */
export const ColumnChooser = <Row,>({ view }: { readonly view: ListView<Row> }) => {
  const [open, setOpen] = useState(false);
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
      <Suspense>
        <ColumnMenu view={view as ListView<unknown>} />
      </Suspense>
    </Popover>
  );
};
