import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Contact } from '../../../api/types.gen.ts';
import { useDebouncedText } from '../../../app/debounced-text.ts';
import { contactName, countText } from '../../../lib/format.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Input } from '../../../ui/field.tsx';

const MAX_SUGGESTIONS = 20;
const MAX_RESULTS = 6;

interface TextProps {
  /** The typed text, debounced. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** Selects contacts by tag, with suggestions. */
export const TagField = ({ value, onChange, error }: TextProps) => {
  const [typed, setTyped] = useDebouncedText(value, onChange);
  const list = useId();
  const tags = useQuery({
    ...apiQuery('/tags', { query: { search: value || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Input
        label="Tag"
        hint="Tags must match exactly."
        maxLength={64}
        list={list}
        autoComplete="off"
        value={typed}
        error={error}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={list}>
        {tags.data?.data.map(({ tag, count }) => (
          <option key={tag} value={tag}>
            {countText(count, 'contact')}
          </option>
        ))}
      </datalist>
    </>
  );
};

/** Selects contacts by a search, as in the contact list. */
export const SearchField = ({ value, onChange, error }: TextProps) => {
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <Input
      label="Search"
      hint="Search by name, phone or email, as in the contact list."
      autoComplete="off"
      value={typed}
      error={error}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
};

/** Selects individual contacts from search results. */
export const ContactsField = ({
  value,
  onChange,
  error,
}: {
  readonly value: readonly Contact[];
  readonly onChange: (contacts: readonly Contact[]) => void;
  readonly error: string | undefined;
}) => {
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useDebouncedText(search, setSearch);
  const found = useQuery({
    ...apiQuery('/contacts', { query: { search: search || undefined, limit: MAX_RESULTS } }),
    placeholderData: keepPreviousData,
  });
  const without = (id: string) => value.filter((each) => each.id !== id);
  const rest = (found.data?.pagination.total ?? 0) - (found.data?.data.length ?? 0);
  return (
    <div className="flex flex-col gap-3">
      {value.length > 0 && (
        <ul aria-label="Selected contacts" className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto">
          {value.map((contact) => (
            <li
              key={contact.id}
              className="inline-flex max-w-full items-center gap-0.5 rounded-md bg-accent-soft py-0.5 pr-0.5 pl-2 text-xs font-medium text-accent-ink"
            >
              <span dir="auto" className="truncate">
                {contactName(contact)}
              </span>
              <button
                type="button"
                aria-label={`Remove ${contactName(contact)}`}
                className="grid size-6 place-items-center rounded hover:bg-accent/15"
                onClick={() => onChange(without(contact.id))}
              >
                <X className="size-3" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Input
        label="Find contacts"
        hint="Search by name, phone or email."
        autoComplete="off"
        value={typed}
        error={error}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={({ target }) => setTyped(target.value)}
      />
      <fieldset className="flex flex-col gap-2" aria-busy={found.isFetching}>
        <legend className="sr-only">Matching contacts</legend>
        {found.data?.data.map((contact) => (
          <Checkbox
            key={contact.id}
            checked={value.some(({ id }) => id === contact.id)}
            onChange={(checked) =>
              onChange(checked ? [...without(contact.id), contact] : without(contact.id))
            }
            label={
              <>
                <span dir="auto" className="wrap-anywhere">
                  {contactName(contact)}
                </span>{' '}
                {contactName(contact) !== contact.phone_number && (
                  <span className="figure text-muted">{contact.phone_number}</span>
                )}
              </>
            }
          />
        ))}
        {found.data?.data.length === 0 && <p className="text-sm text-muted">No matching contacts.</p>}
        {rest > 0 && (
          <p className="text-[0.8125rem] text-muted">
            {countText(rest, 'more matching contact')}. Keep typing to narrow the list.
          </p>
        )}
      </fieldset>
    </div>
  );
};
