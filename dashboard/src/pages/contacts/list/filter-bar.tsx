import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { ColumnChooser } from '../../../app/column-chooser.tsx';
import { ListSearch } from '../../../app/list-search.tsx';
import type { ListView } from '../../../app/list-view.ts';
import { t } from '../../../lib/i18n.ts';
import { FilterBuilder, FilterSentence } from '../../../records/contacts/filter/lazy.tsx';
import { conditionsIn, parseFilter } from '../../../records/contacts/filter/tree.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { isFiltered } from './query.ts';
import type { ContactFilters } from './url-params.ts';

/** What narrows and shapes the list: search, filter and columns. The filter is shown in words, and edited below them. */
export const FilterBar = <Row,>({
  view,
  search,
}: {
  readonly view: ListView<Row>;
  readonly search: ContactFilters;
}) => {
  const [isOpen, setOpen] = useState(false);
  const tree = parseFilter(search.filter);
  const count = conditionsIn(tree).length;
  return (
    <search aria-label={t('Search and filter: {list}', { list: t('Contacts') })}>
      <div className="mb-3 flex flex-wrap gap-2">
        <ListSearch
          label={t('Search contacts')}
          placeholder={t('Search by name, phone or email')}
          value={search.search}
          onChange={(text) => view.onFilter({ search: text })}
        />
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden />
          {count > 0 ? t('Filter ({count})', { count }) : t('Filter')}
        </Button>
        <ColumnChooser view={view} />
      </div>
      {(isOpen || isFiltered(search)) && (
        <div
          className={cx('mb-3', (isOpen || tree) && 'rounded-xl border border-line bg-surface p-3 sm:p-4')}
        >
          {isOpen && (
            <div className="mb-3 border-b border-line pb-3">
              <FilterBuilder
                value={tree}
                delayMs={300}
                onChange={(next) => view.onFilter({ filter: next && JSON.stringify(next) })}
              />
            </div>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <p className="min-w-0 flex-1 basis-40 text-sm">
              {search.search && (
                <span className="text-muted">{t('Search: “{text}”.', { text: search.search })} </span>
              )}
              {tree && <FilterSentence tree={tree} />}
              {!isFiltered(search) && (
                <span className="text-muted">{t('No filter: the list shows everyone.')}</span>
              )}
            </p>
            {tree && !isOpen && (
              <Button size="small" onClick={() => setOpen(true)}>
                {t('Edit filter')}
              </Button>
            )}
            {isFiltered(search) && (
              <Button
                size="small"
                variant="quiet"
                onClick={() => {
                  setOpen(false);
                  view.onFilter({ filter: undefined, search: undefined });
                }}
              >
                {t('Clear all')}
              </Button>
            )}
            {isOpen && (
              <Button size="small" onClick={() => setOpen(false)}>
                {t('Done')}
              </Button>
            )}
          </div>
        </div>
      )}
    </search>
  );
};
