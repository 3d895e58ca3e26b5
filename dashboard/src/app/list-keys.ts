import { t } from '../lib/i18n.ts';
import { lastRow, rememberRow } from '../ui/last-row.ts';
import { useShortcut } from './shortcuts.ts';

/* The cursor of a table is the row that has the focus, so the browser shows it and screen readers announce it. */

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tr[data-row]')];
const currentRow = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('tr[data-row]') ?? null;

const move = (step: 1 | -1): void => {
  const all = rows();
  const current = currentRow();
  const from = current ? all.indexOf(current) : -1;
  const next = from === -1 ? (lastRow() ?? all[step === 1 ? 0 : all.length - 1]) : all[from + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

const isOnRow = (): boolean => document.activeElement?.matches('tr[data-row]') ?? false;

const clickIn = (selector: string): void => {
  const row = currentRow();
  rememberRow(row?.dataset.row);
  row?.querySelector<HTMLElement>(selector)?.click();
};

/** The first action for the selected rows. */
const selectionAction = (): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main [data-selection] button')].find((button) =>
    button.checkVisibility(),
  );

/** Keys of a table: `j` and `k` move the cursor, Enter opens the row, Space shows it beside the list, `x` selects it
 *  and `e` edits it. `a` moves the
 *  focus to the actions for the selected rows, which come after all rows in the tab order. */
export const useListKeys = ({
  canSelect = false,
  onEdit,
  onPeek,
}: {
  readonly canSelect?: boolean;
  /** Gets the id of the row. */
  readonly onEdit?: ((id: string) => void) | undefined;
  readonly onPeek?: ((id: string) => void) | undefined;
} = {}): void => {
  useShortcut('j', t('Next row'), () => move(1));
  useShortcut('k', t('Previous row'), () => move(-1));
  useShortcut('Enter', t('Open row'), () => clickIn('a[data-row-link]'), {
    applies: isOnRow,
  });
  useShortcut('x', canSelect ? t('Select row') : undefined, () => clickIn('input[type=checkbox]'));
  useShortcut(
    'a',
    canSelect ? t('Go to actions for selected rows') : undefined,
    () => selectionAction()?.focus(),
    { applies: () => selectionAction() !== undefined },
  );
  const withRow = (run: ((id: string) => void) | undefined) => () => {
    const id = currentRow()?.dataset.row;
    if (!id) return;
    rememberRow(id);
    run?.(id);
  };
  useShortcut('e', onEdit ? t('Edit row') : undefined, withRow(onEdit));
  useShortcut(' ', onPeek ? t('Preview row') : undefined, withRow(onPeek), { applies: isOnRow });
};
