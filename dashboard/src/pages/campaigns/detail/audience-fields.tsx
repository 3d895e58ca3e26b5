import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Contact, Segment } from '../../../api/types.gen.ts';
import { useDebouncedText } from '../../../app/debounced-text.ts';
import { TagField } from '../../../app/tag-field.tsx';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { FilterField } from '../../../records/contacts/filter/filter-field.tsx';
import type { FilterTree } from '../../../records/contacts/filter/tree.ts';
import { filterOf, segmentsQuery } from '../../../records/contacts/segments.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { NameOrPhone, Phone } from '../../../ui/phone.tsx';

const MAX_RESULTS = 6;

interface TextProps {
  /** The typed text, debounced. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

/** Selects contacts by tag. */
export const AudienceTagField = ({ value, onChange, error }: TextProps) => {
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <TagField
      label={t('Tag')}
      hint={t('Tags must match exactly.')}
      value={typed}
      error={error}
      onChange={setTyped}
    />
  );
};

/** Selects contacts by a search, as in the contact list. */
export const SearchField = ({ value, onChange, error }: TextProps) => {
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <Input
      label={t('Search')}
      hint={t('Search by name, phone or email, as in the contact list.')}
      autoComplete="off"
      value={typed}
      error={error}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
};

/** Selects contacts by a filter, which may be that of a segment. */
export const SegmentOrFilterField = ({
  value,
  onChange,
}: {
  readonly value: FilterTree | undefined;
  readonly onChange: (tree: FilterTree | undefined) => void;
}) => {
  const segments = useQuery(segmentsQuery).data?.data ?? [];
  const [segment, setSegment] = useState<Segment>();
  return (
    <>
      {segments.length > 0 && (
        <Select
          label={t('Segment')}
          placeholder={t('Your own filter')}
          options={segments.map(({ id, name }) => ({ value: id, label: name }))}
          value={segment?.id ?? ''}
          onChange={({ target }) => {
            const chosen = segments.find(({ id }) => id === target.value);
            setSegment(chosen);
            if (chosen) onChange(filterOf(chosen));
          }}
        />
      )}
      <FilterField
        value={value}
        onChange={(tree) => {
          setSegment(undefined);
          onChange(tree);
        }}
      />
    </>
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
        <ul aria-label={t('Selected contacts')} className="flex max-h-32 flex-wrap gap-1.5 overflow-y-auto">
          {value.map((contact) => (
            <li
              key={contact.id}
              className="inline-flex max-w-full items-center gap-0.5 rounded-md bg-accent-soft py-0.5 pr-0.5 pl-2 text-xs font-medium text-accent-ink"
            >
              <span dir="auto" className="truncate">
                <NameOrPhone text={contactName(contact)} />
              </span>
              <button
                type="button"
                aria-label={t('Remove {name}', { name: contactName(contact) })}
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
        label={t('Find contacts')}
        hint={t('Search by name, phone or email.')}
        autoComplete="off"
        value={typed}
        error={error}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={({ target }) => setTyped(target.value)}
      />
      <fieldset className="flex flex-col gap-2" aria-busy={found.isFetching}>
        <legend className="sr-only">{t('Matching contacts')}</legend>
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
                  <NameOrPhone text={contactName(contact)} />
                </span>{' '}
                {contactName(contact) !== contact.phone_number && (
                  <Phone number={contact.phone_number} className="text-muted" />
                )}
              </>
            }
          />
        ))}
        {found.data?.data.length === 0 && <p className="text-sm text-muted">{t('No matching contacts.')}</p>}
        {rest > 0 && (
          <p className="text-[0.8125rem] text-muted">
            {plural(
              rest,
              '# more matching contact. Keep typing to narrow the list.',
              '# more matching contacts. Keep typing to narrow the list.',
            )}
          </p>
        )}
      </fieldset>
    </div>
  );
};
