import { ListFilter, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadChunk } from '../../api/load-chunk.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/states.tsx';
import {
  chipText,
  type Filter,
  type FilterChange,
  type FilterValues,
  filterValue,
  withoutFilters,
} from './definition.ts';

const loadEditor = () => loadChunk(() => import('./editor.tsx'));
const FilterEditor = lazy(loadEditor);

interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly values: FilterValues;
  /** A parameter without a value is removed from the address. */
  readonly onChange: (change: FilterChange) => void;
}

/** The button that adds a filter. The first step chooses it, the second its value. */
export const AddFilter = ({ filters, values, onChange }: FilterBarProps) => {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Filter>();
  const offered = filters.filter(({ name, isHidden }) => !isHidden && filterValue(values, name) === '');
  const close = () => setOpen(false);
  return (
    <Popover
      label={chosen?.label ?? t('Add filter')}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) return;
        setChosen(undefined);
        void loadEditor().catch(() => undefined);
      }}
      trigger={
        <Button disabled={offered.length === 0 && !open}>
          <ListFilter aria-hidden />
          {t('Add filter')}
        </Button>
      }
    >
      {chosen ? (
        <Editing filter={chosen} values={values} onChange={onChange} onDone={close} />
      ) : (
        <ul>
          {offered.map((filter, at) => (
            <li key={filter.name}>
              <Button
                variant="quiet"
                className="w-full justify-start! font-normal!"
                autoFocus={at === 0}
                onClick={() => setChosen(filter)}
              >
                {filter.label}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
};

const Editing = (props: {
  readonly filter: Filter;
  readonly values: FilterValues;
  readonly onChange: (change: FilterChange) => void;
  readonly onDone: () => void;
}) => (
  <>
    <p className="px-2.5 pt-1 pb-2 text-xs font-medium text-muted">{props.filter.label}</p>
    <Suspense fallback={<Skeleton className="m-2 h-9" />}>
      <FilterEditor key={props.filter.name} {...props} />
    </Suspense>
  </>
);

const knownText = (value: string): string => value;

const Chip = ({
  filter,
  values,
  onChange,
}: {
  readonly filter: Filter;
  readonly values: FilterValues;
  readonly onChange: FilterBarProps['onChange'];
}) => {
  const [open, setOpen] = useState(false);
  const useLabel = (filter.kind === 'search' && filter.useLabel) || knownText;
  const label = useLabel(chipText(filter, values)) ?? '…';
  return (
    <li className="flex max-w-full min-w-0 items-center rounded-lg border border-accent bg-accent-soft text-accent-ink">
      <Popover
        label={filter.label}
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="flex h-8 min-w-0 items-center gap-1 rounded-lg pr-1 pl-2.5 text-[0.8125rem] -outline-offset-2 hover:underline max-sm:h-10"
          >
            <span className="shrink-0 font-medium">{filter.label}:</span>
            <span dir="auto" className="truncate">
              {label}
            </span>
          </button>
        }
      >
        <Editing filter={filter} values={values} onChange={onChange} onDone={() => setOpen(false)} />
      </Popover>
      <button
        type="button"
        aria-label={t('Remove filter {name}', { name: filter.label })}
        className="grid size-8 shrink-0 place-items-center rounded-lg -outline-offset-2 hover:bg-accent/15 max-sm:size-10"
        onClick={() => onChange(withoutFilters([filter]))}
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </li>
  );
};

/** The active filters as chips, each with a button that removes it. */
export const FilterChips = ({
  filters,
  values,
  onChange,
  onClear,
}: FilterBarProps & {
  /** Removes everything that narrows the list; without it, all filters. */
  readonly onClear?: () => void;
}): ReactNode => {
  const active = filters.filter(({ name }) => filterValue(values, name) !== '');
  if (active.length === 0 && !onClear) return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <ul aria-label={t('Filters')} className="contents">
        {active.map((filter) => (
          <Chip key={filter.name} filter={filter} values={values} onChange={onChange} />
        ))}
      </ul>
      <Button size="small" variant="quiet" onClick={onClear ?? (() => onChange(withoutFilters(filters)))}>
        {t('Clear all')}
      </Button>
    </div>
  );
};
