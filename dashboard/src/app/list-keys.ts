import { t } from '../lib/i18n.ts';
import { useShortcut } from './shortcuts.ts';

/* The cursor of a table is the row that has the focus, so the browser shows it and screen readers announce it. */

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tr[data-row]')];
const currentRow = (): HTMLElement | null =>
  document.activeElement?.closest<HTMLElement>('tr[data-row]') ?? null;

/** The row to begin with after a return to the list: the one that was opened. */
let opened: string | undefined;

const move = (step: 1 | -1): void => {
  const all = rows();
  const current = currentRow();
  const from = current ? all.indexOf(current) : -1;
  const last = all.find((row) => row.dataset.row === opened);
  const next = from === -1 ? (last ?? all[step === 1 ? 0 : all.length - 1]) : all[from + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};

const clickIn = (selector: string): void => {
  const row = currentRow();
  opened = row?.dataset.row;
  row?.querySelector<HTMLElement>(selector)?.click();
};

/** Keys of a table: `j` and `k` move the cursor, Enter opens the row, `x` selects it and `e` edits it. */
export const useListKeys = ({
  canSelect = false,
  onEdit,
}: {
  readonly canSelect?: boolean;
  /** Gets the id of the row. */
  readonly onEdit?: ((id: string) => void) | undefined;
} = {}): void => {
  useShortcut('j', t('Next row'), () => move(1));
  useShortcut('k', t('Previous row'), () => move(-1));
  useShortcut(
    'Enter',
    t('Open row'),
    () => clickIn('a[data-row-link]'),
    () => document.activeElement?.matches('tr[data-row]') ?? false,
  );
  useShortcut('x', canSelect ? t('Select row') : undefined, () => clickIn('input[type=checkbox]'));
  useShortcut('e', onEdit ? t('Edit row') : undefined, () => {
    const id = currentRow()?.dataset.row;
    if (id === undefined) return;
    opened = id;
    onEdit?.(id);
  });
};
