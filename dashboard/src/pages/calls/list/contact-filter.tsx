import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { contactName } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { isComposing } from '../../../ui/keyboard.tsx';

const MAX_SUGGESTIONS = 8;
const wrapperClass = 'relative min-w-0 flex-1 basis-56';

/** Filters the list by a contact, found by name or number. */
export const ContactFilter = ({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (contact: string | undefined) => void;
}) => {
  // The focus moves to the control that replaces this one.
  const [touched, setTouched] = useState(false);
  const choose = (contact: string | undefined) => {
    setTouched(true);
    onChange(contact);
  };
  return value ? (
    <SelectedContact id={value} focused={touched} onClear={() => choose(undefined)} />
  ) : (
    <ContactSearch focused={touched} onChoose={choose} />
  );
};

const SelectedContact = ({
  id,
  focused,
  onClear,
}: {
  readonly id: string;
  readonly focused: boolean;
  readonly onClear: () => void;
}) => {
  const contact = useQuery(apiQuery('/contacts/{id}', { params: { id } }));
  const name = contact.data ? contactName(contact.data.data) : contact.isError ? 'Unknown contact' : '…';
  return (
    <div className={wrapperClass}>
      <div className="control flex items-center gap-1 border-accent! py-0! pr-1!">
        <span className="min-w-0 flex-1 truncate">
          <span className="sr-only">Calls with </span>
          <bdi>{name}</bdi>
        </span>
        <Button
          variant="quiet"
          size="small"
          autoFocus={focused}
          aria-label={`Clear contact filter: ${name}`}
          className="w-8 px-0!"
          onClick={onClear}
        >
          <X aria-hidden />
        </Button>
      </div>
    </div>
  );
};

const ContactSearch = ({
  focused,
  onChoose,
}: {
  readonly focused: boolean;
  readonly onChoose: (id: string) => void;
}) => {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const list = useId();
  const text = useDeferredValue(typed.trim());
  const query = useQuery({
    ...apiQuery('/contacts', { query: { search: text, limit: MAX_SUGGESTIONS } }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  });
  const found = text === '' ? [] : (query.data?.data ?? []);
  const shows = isOpen && text !== '' && query.data !== undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') setOpen(false);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (shows) setActive((active + step + found.length) % Math.max(1, found.length));
    }
    const chosen = found[active];
    if (event.key === 'Enter' && shows && chosen) {
      // Otherwise the same key press would activate the button that gets the focus next.
      event.preventDefault();
      onChoose(chosen.id);
    }
  };
  return (
    <div className={wrapperClass}>
      <input
        role="combobox"
        // biome-ignore lint/a11y/noAutofocus: only after the filter was cleared
        autoFocus={focused}
        aria-label="Contact"
        aria-expanded={shows}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shows && found[active] ? `${list}-${active}` : undefined}
        placeholder="Any contact"
        autoComplete="off"
        dir="auto"
        className="control"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={list}
        role="listbox"
        aria-label="Contacts"
        hidden={!shows}
        className="absolute inset-x-0 top-full z-30 mt-1 rounded-xl border border-line bg-surface p-1.5 text-sm shadow-float"
      >
        {found.map((contact, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox field handles the keys
          <div
            key={contact.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={cx('cursor-pointer rounded-lg px-2.5 py-1.5', index === active && 'bg-sunken')}
            onMouseDown={(event) => event.preventDefault()}
            onMouseEnter={() => setActive(index)}
            onClick={() => onChoose(contact.id)}
          >
            <div dir="auto" className="truncate">
              {contactName(contact)}
            </div>
            <div className="figure text-[0.8125rem] text-muted">{contact.phone_number}</div>
          </div>
        ))}
        {found.length === 0 && (
          <div
            role="option"
            aria-selected={false}
            aria-disabled
            tabIndex={-1}
            className="px-2.5 py-1.5 text-muted"
          >
            No matching contacts.
          </div>
        )}
      </div>
    </div>
  );
};
