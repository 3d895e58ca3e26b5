import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { cx } from './cx.ts';

/** A list of rows with fields. On wide screens the labels are above the first row only. */
export const FormRows = <Row extends { readonly id: number }>({
  label,
  columns,
  rows,
  max,
  newRow,
  addLabel,
  addSize,
  removeLabel,
  actions,
  onChange,
  children,
}: {
  readonly label: string;
  /** The class of the grid on wide screens, with a last column for the buttons. */
  readonly columns: string;
  readonly rows: readonly Row[];
  readonly max: number;
  readonly newRow: () => Row;
  readonly addLabel: string;
  readonly addSize?: ButtonProps['size'];
  readonly removeLabel: (row: Row, at: number) => string;
  /** Buttons before that which removes the row. */
  readonly actions?: (row: Row, at: number) => ReactNode;
  readonly onChange: (rows: readonly Row[]) => void;
  /** The fields of a row. */
  readonly children: (row: Row, at: number, set: (change: Partial<Row>) => void) => ReactNode;
}) => (
  <div className="flex flex-col items-start gap-3">
    {rows.length > 0 && (
      <ul aria-label={label} className="flex w-full flex-col gap-3 sm:gap-2">
        {rows.map((row, at) => (
          <li
            key={row.id}
            className={cx(
              'flex flex-col gap-2 sm:grid sm:items-start',
              'max-sm:not-first:border-t max-sm:not-first:border-line max-sm:not-first:pt-3 sm:not-first:[&>*>label]:sr-only',
              columns,
            )}
          >
            {children(row, at, (change) =>
              onChange(rows.map((each) => (each.id === row.id ? { ...each, ...change } : each))),
            )}
            <div className={cx('flex self-end sm:self-auto', at === 0 && 'sm:pt-6.5')}>
              {actions?.(row, at)}
              <IconButton
                label={removeLabel(row, at)}
                icon={<Trash2 aria-hidden />}
                onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
              />
            </div>
          </li>
        ))}
      </ul>
    )}
    <Button size={addSize} disabled={rows.length >= max} onClick={() => onChange([...rows, newRow()])}>
      <Plus aria-hidden />
      {addLabel}
    </Button>
  </div>
);
