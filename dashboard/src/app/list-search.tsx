import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useDebouncedText } from './debounced-text.ts';
import { useShortcut } from './shortcuts.ts';

/** The search field of a list; `/` focuses it. */
export const ListSearch = ({
  label,
  placeholder,
  value,
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}) => {
  const [typed, setTyped] = useDebouncedText(value ?? '', (text) => onChange(text || undefined));
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', label, () => field.current?.focus());
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className="control pl-9! [&::-webkit-search-cancel-button]:hidden"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  );
};
