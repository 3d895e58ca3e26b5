import { Search, X } from 'lucide-react';
import { useRef } from 'react';
import { useDebouncedText } from '../../../app/debounced-text.ts';
import { useShortcut } from '../../../app/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { TagFilter } from './tag-filter.tsx';
import type { ContactsSearch } from './url-params.ts';

export type SetFilters = (change: Partial<ContactsSearch>) => void;

export const Filters = ({
  search,
  onChange,
}: {
  readonly search: ContactsSearch;
  readonly onChange: SetFilters;
}) => {
  const [typed, setTyped] = useDebouncedText(search.search ?? '', (text) =>
    onChange({ search: text || undefined }),
  );
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search contacts', () => field.current?.focus());
  return (
    <search className="mb-3 flex flex-wrap gap-2">
      <div className="relative min-w-0 flex-1 basis-64">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          aria-hidden
        />
        <input
          ref={field}
          type="search"
          aria-label="Search contacts"
          placeholder="Search by name, phone or email"
          className="control pl-9! [&::-webkit-search-cancel-button]:hidden"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <TagFilter value={search.tag ?? ''} onChange={(tag) => onChange({ tag: tag || undefined })} />
      {search.company && (
        <Button
          className="max-w-full min-w-0"
          title="Clear company filter"
          onClick={() => onChange({ company: undefined })}
        >
          <span dir="auto" className="truncate">
            Company: {search.company}
          </span>
          <X aria-hidden />
        </Button>
      )}
      {(search.search || search.tag || search.company) && (
        <Button
          variant="quiet"
          onClick={() => onChange({ search: undefined, tag: undefined, company: undefined })}
        >
          <X aria-hidden />
          Clear filters
        </Button>
      )}
    </search>
  );
};
