import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useState } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { t } from '../lib/i18n.ts';
import type { Choice } from './choices-for.ts';
import { cx } from './cx.ts';
import { Field, type FieldProps } from './field.tsx';
import { Popover } from './popover.tsx';
import { Skeleton } from './states.tsx';

const List = lazy(() => loadChunk(() => import('./search-select-list.tsx')));

/** What selects of many options have in common, such as those of a country. */
export type SearchSelectProps = Omit<FieldProps, 'label' | 'className'> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
};

/** Selects one of many options, found by typing. */
export const SearchSelect = ({
  value,
  onChange,
  disabled,
  shown,
  none,
  useChoices,
  ...field
}: SearchSelectProps & {
  /** The label of the value; empty without one. */
  readonly shown: string;
  /** The label of no value; without it, the value cannot be unset. */
  readonly none?: string | undefined;
  /** Called once the list is open. */
  readonly useChoices: () => readonly Choice[];
}) => {
  const [open, setOpen] = useState(false);
  const [first, setFirst] = useState('');
  const show = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen) setFirst('');
  };
  /** A letter opens the list and begins the search, as in a native select. */
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (open || key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
    setFirst(key);
    setOpen(true);
  };
  return (
    <Field {...field}>
      {({ required: _, ...own }) => (
        <Popover
          label={field.label}
          open={open}
          onOpenChange={show}
          trigger={
            <button
              {...own}
              type="button"
              role="combobox"
              aria-expanded={open}
              aria-required={field.required}
              disabled={disabled}
              data-value={value}
              className="control flex items-center gap-2 text-start"
              onKeyDown={onKeyDown}
            >
              <span className={cx('min-w-0 flex-1 truncate', !shown && 'text-muted')}>
                {shown || none || t('Choose…')}
              </span>
              <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
            </button>
          }
        >
          <Suspense fallback={<Skeleton className="h-72" />}>
            <List
              label={field.label}
              initial={first}
              value={value}
              none={none}
              useChoices={useChoices}
              onChoose={(next) => {
                show(false);
                if (next !== value) onChange(next);
              }}
            />
          </Suspense>
        </Popover>
      )}
    </Field>
  );
};
