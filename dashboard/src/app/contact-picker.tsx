import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { apiQuery } from '../api/query.ts';
import { contactName } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { cx } from '../ui/cx.ts';
import { Field } from '../ui/field.tsx';
import { isComposing } from '../ui/keyboard.tsx';
import { NameOrPhone, Phone } from '../ui/phone.tsx';

const MAX_SUGGESTIONS = 8;

/** Finds a contact by name or number. */
export const ContactPicker = ({
  label,
  placeholder,
  onChoose,
}: {
  readonly label: string;
  readonly placeholder?: string | undefined;
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
  const choose = (id: string) => {
    setTyped('');
    setOpen(false);
    onChoose(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape' && shows) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (shows) setActive((active + step + found.length) % Math.max(1, found.length));
    }
    const chosen = found[active];
    if (event.key === 'Enter' && shows && chosen) {
      event.preventDefault();
      choose(chosen.id);
    }
  };
  return (
    <div className="relative min-w-0">
      <Field label={label}>
        {(own) => (
          <input
            {...own}
            role="combobox"
            aria-expanded={shows}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={shows && found[active] ? `${list}-${active}` : undefined}
            placeholder={placeholder}
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
        )}
      </Field>
      <div
        id={list}
        role="listbox"
        aria-label={t('Contacts')}
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
            onClick={() => choose(contact.id)}
          >
            <div dir="auto" className="truncate">
              <NameOrPhone text={contactName(contact)} />
            </div>
            <div className="text-[0.8125rem] text-muted">
              <Phone number={contact.phone_number} />
            </div>
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
            {t('No matching contacts.')}
          </div>
        )}
      </div>
    </div>
  );
};
