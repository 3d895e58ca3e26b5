import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { ColumnChooser } from './column-chooser.tsx';
import type { Filter, FilterValues } from './filters/definition.ts';
import { hasFilter, withoutFilters } from './filters/definition.ts';
import { AddFilter, FilterChips } from './filters/filter-bar.tsx';
import { ListSearch } from './list-search.tsx';
import type { ListView } from './list-view.ts';

/** What narrows and shapes a list: search, filters, columns, and the active filters as chips. */
export const ListBar = <Row,>({
  label,
  view,
  filters,
  values,
  search,
  children,
}: {
  /** The name of the list, for the search landmark. */
  readonly label: string;
  readonly view: ListView<Row>;
  readonly filters: readonly Filter[];
  /** The parameters of the address. */
  readonly values: FilterValues;
  /** A search field for the parameter `search`. */
  readonly search?: { readonly label: string; readonly placeholder: string };
  readonly children?: ReactNode;
}) => {
  const text = search && typeof values.search === 'string' ? values.search : undefined;
  const isNarrowed = Boolean(text) || hasFilter(filters, values);
  return (
    <search aria-label={t('Search and filter: {list}', { list: label })}>
      <div className="mb-3 flex flex-wrap gap-2">
        {search && (
          <ListSearch {...search} value={text} onChange={(next) => view.onFilter({ search: next })} />
        )}
        {filters.length > 0 && <AddFilter filters={filters} values={values} onChange={view.onFilter} />}
        <ColumnChooser view={view} />
        {children}
      </div>
      {isNarrowed && (
        <FilterChips
          filters={filters}
          values={values}
          onChange={view.onFilter}
          onClear={() => view.onFilter({ ...withoutFilters(filters), search: undefined })}
        />
      )}
    </search>
  );
};
