import { X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, type FieldProps } from '../ui/field.tsx';
import { isComposing } from '../ui/keyboard.tsx';
import { rich } from '../ui/rich.tsx';
import { useSuggestions } from '../ui/suggestions.tsx';
import { type KnownTag, tagOptions, useKnownTags } from './known-tags.ts';

export interface TagInputProps extends FieldProps {
  readonly value: readonly string[];
  readonly onChange: (tags: string[]) => void;
  /** The existing tags: by default those of contacts. */
  readonly useKnown?: (entered: readonly string[], typed: string) => readonly KnownTag[];
}

const MAX_LENGTH = 64;

const folded = (tag: string): string => tag.normalize('NFKC').toLowerCase();

/** The existing tag that differs only in case. */
const sameIgnoringCase = (tag: string, known: readonly string[]): string | undefined =>
  known.includes(tag) ? undefined : known.find((each) => folded(each) === folded(tag));

/** A list of tags with suggestions: Enter or a comma adds the typed tag, Backspace in the empty field removes the last one. */
export const TagInput = ({ value, onChange, useKnown = useKnownTags, ...field }: TagInputProps) => {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const known = useKnown(value, typed);
  const addAll = (tags: readonly string[]) => {
    const fresh = tags.filter((each) => each !== '' && !value.includes(each));
    if (fresh.length > 0) onChange([...value, ...new Set(fresh)]);
    setTyped('');
  };
  // A suggested tag may contain a comma.
  const { control, list, open, close } = useSuggestions(tagOptions(known, typed, value), (tag) =>
    addAll([tag]),
  );
  const add = (text: string) => {
    addAll(text.split(',').map((each) => each.trim()));
    close();
  };
  // Includes the text being typed, because a hint that appeared on blur would move the button being clicked.
  const entered = typed.trim() === '' ? value : [...value, typed.trim()];
  const names = known.map(({ tag }) => tag);
  const duplicates = entered.flatMap((tag, at) => {
    const existing = sameIgnoringCase(tag, [...names, ...entered.slice(0, at)]);
    return existing ? [{ tag, existing }] : [];
  });
  const replace = (tag: string, existing: string) => {
    if (value.includes(tag)) onChange([...new Set(value.map((each) => (each === tag ? existing : each)))]);
    else addAll([existing]);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    control.onKeyDown(event);
    if (isComposing(event) || event.defaultPrevented) return;
    if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault();
      add(typed);
    }
    if (event.key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1));
  };
  return (
    <div data-suggests className="flex min-w-0 flex-col gap-1.5">
      <Field {...field}>
        {(own) => (
          <div className="control flex flex-wrap items-center gap-1.5 py-1!">
            {value.map((tag) => (
              <span
                key={tag}
                className="inline-flex max-w-full items-center gap-0.5 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-xs font-medium text-muted"
              >
                <span dir="auto" className="truncate">
                  {tag}
                </span>
                <button
                  type="button"
                  aria-label={t('Remove {tag}', { tag })}
                  className="grid size-6 place-items-center rounded hover:bg-line"
                  onClick={() => {
                    input.current?.focus();
                    onChange(value.filter((each) => each !== tag));
                  }}
                >
                  <X className="size-3" aria-hidden />
                </button>
              </span>
            ))}
            <input
              {...own}
              {...control}
              ref={input}
              required={undefined}
              value={typed}
              maxLength={MAX_LENGTH}
              dir="auto"
              className="min-w-24 flex-1 bg-transparent py-0.5 outline-none"
              onChange={({ target }) => {
                if (target.value.includes(',')) return add(target.value);
                setTyped(target.value);
                if (target.value === '') close();
                else open();
              }}
              onKeyDown={onKeyDown}
              onBlur={() => add(typed)}
            />
          </div>
        )}
      </Field>
      {list}
      <div aria-live="polite">
        {duplicates.map(({ tag, existing }) => (
          <p key={tag} className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-warn-ink">
            <span className="min-w-0 wrap-anywhere">
              {rich('The tag “{tag}” already exists.', { tag: <bdi>{existing}</bdi> })}
            </span>
            <Button size="small" onClick={() => replace(tag, existing)}>
              <span className="min-w-0 truncate">
                {rich('Use “{existing}” instead of “{tag}”', {
                  existing: <bdi>{existing}</bdi>,
                  tag: <bdi>{tag}</bdi>,
                })}
              </span>
            </Button>
          </p>
        ))}
      </div>
    </div>
  );
};
