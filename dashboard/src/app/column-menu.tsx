import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react';
import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { cx } from '../ui/cx.ts';
import { Segmented } from '../ui/segmented.tsx';
import type { ListView } from './list-view.ts';

const densities = { comfortable: t('Comfortable'), compact: t('Compact') };

/** `public/theme.js` reads the same key before the first paint. */
const rememberDensity = (density: string): void => {
  document.documentElement.dataset.density = density;
  try {
    localStorage.setItem('roster-density', density);
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
};

/** The visible columns in their order, then the others. The first column names the row, so it is not here. */
const ColumnMenu = ({ view }: { readonly view: ListView<unknown> }) => {
  const [density, setDensity] = useState(
    document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable',
  );
  const [dragged, setDragged] = useState<string>();
  const [moved, setMoved] = useState('');
  const [first = '', ...shown] = view.columns.map(({ id }) => id);
  const optional = view.allColumns.slice(1);
  const columns = [...view.columns.slice(1), ...optional.filter(({ id }) => !shown.includes(id))];
  const show = (ids: readonly string[]) => view.onColumns([first, ...ids]);
  const move = (id: string, to: number) => {
    if (to < 0 || to >= shown.length || to === shown.indexOf(id)) return;
    show(shown.filter((each) => each !== id).toSpliced(to, 0, id));
    const header = optional.find((each) => each.id === id)?.header ?? '';
    setMoved(t('{column}: {count} of {total}', { column: header, count: to + 1, total: shown.length }));
  };
  return (
    <div className="flex flex-col gap-3 p-2">
      <Segmented
        label={t('Row height')}
        options={densities}
        value={density}
        onChange={(next) => {
          rememberDensity(next);
          setDensity(next);
        }}
      />
      <ul aria-label={t('Columns')} className="flex flex-col">
        {columns.map(({ id, header }) => {
          const at = shown.indexOf(id);
          return (
            <li
              key={id}
              draggable={at !== -1}
              onDragStart={() => setDragged(id)}
              onDragOver={(event) => {
                event.preventDefault();
                if (dragged && at !== -1) move(dragged, at);
              }}
              onDragEnd={() => setDragged(undefined)}
              onKeyDown={({ altKey, key }) => {
                const by = { ArrowUp: -1, ArrowDown: 1 }[key];
                if (altKey && by && at !== -1) move(id, at + by);
              }}
              className={cx('flex min-h-8 items-center gap-1.5', dragged === id && 'bg-sunken')}
            >
              <GripVertical
                className={cx('size-4 shrink-0 text-muted', at === -1 ? 'invisible' : 'cursor-grab')}
                aria-hidden
              />
              <Checkbox
                label={header}
                checked={at !== -1}
                onChange={(isShown) => show(isShown ? [...shown, id] : shown.filter((each) => each !== id))}
              />
              {at !== -1 && (
                <span className="ml-auto flex">
                  {(
                    [
                      [-1, t('Move {column} up', { column: header }), ChevronUp],
                      [1, t('Move {column} down', { column: header }), ChevronDown],
                    ] as const
                  ).map(([by, label, Icon]) => (
                    <IconButton
                      key={by}
                      size="small"
                      label={label}
                      icon={<Icon aria-hidden />}
                      disabled={!shown[at + by]}
                      onClick={() => move(id, at + by)}
                    />
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p role="status" className="sr-only">
        {moved}
      </p>
      <p className="text-[0.8125rem] text-muted">
        {t('Drag a column, or move it with Alt and the arrow keys.')}
      </p>
      <Button size="small" variant="quiet" className="self-start" onClick={() => view.onColumns()}>
        {t('Reset columns')}
      </Button>
    </div>
  );
};

export default ColumnMenu;
