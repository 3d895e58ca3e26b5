import { useDeferredValue, useState } from 'react';
import { datePresets, daysOf } from '../../lib/date-range.ts';
import { t } from '../../lib/i18n.ts';
import { toList } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { type Option, OptionList } from '../../ui/option-list.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import {
  type Filter,
  type FilterChange,
  type FilterValues,
  filterValue,
  presetLabels,
  type UseOptions,
  yesNoOptions,
} from './definition.ts';

interface EditorProps {
  readonly filter: Filter;
  readonly values: FilterValues;
  readonly onChange: (change: FilterChange) => void;
  /** The value is complete. */
  readonly onDone: () => void;
}

const among = (options: readonly Option[], typed: string): readonly Option[] =>
  options.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));

const fixed =
  (options: readonly Option[]): UseOptions =>
  (typed) =>
    among(options, typed);
const none: UseOptions = () => [];

/** Typing finds the others. */
const MAX_SHOWN = 100;

/** The fields of one filter, in a popover. */
const FilterEditor = ({ filter, values, onChange, onDone }: EditorProps) => {
  const value = filterValue(values, filter.name);
  const set = (next: string | undefined) => onChange({ [filter.name]: next || undefined });
  const setAndClose = (next: string | undefined) => {
    set(next);
    onDone();
  };
  if (filter.kind === 'dates') return <DateEditor value={value} onChange={setAndClose} />;
  if (filter.kind === 'choices') {
    const chosen = toList(value);
    return (
      <>
        {filter.match && chosen.length > 1 && (
          <div className="p-1">
            <Segmented
              label={t('Match')}
              options={{ any: t('Any of these'), all: t('All of these') }}
              value={values[filter.match] === 'all' ? 'all' : 'any'}
              onChange={(match) =>
                onChange({ [filter.match as string]: match === 'all' ? match : undefined })
              }
            />
          </div>
        )}
        <Choices
          label={filter.label}
          isMultiple
          useOptions={filter.useOptions ?? fixed(filter.options ?? [])}
          chosen={chosen}
          onChoose={(option) =>
            set(
              (chosen.includes(option)
                ? chosen.filter((each) => each !== option)
                : [...chosen, option]
              ).join(),
            )
          }
        />
      </>
    );
  }
  const useOptions =
    filter.kind === 'choice'
      ? fixed(filter.options)
      : filter.kind === 'yesno'
        ? fixed(yesNoOptions(filter))
        : (filter.useOptions ?? none);
  return (
    <Choices
      label={filter.label}
      useOptions={useOptions}
      allowsText={filter.kind === 'text'}
      initial={filter.kind === 'text' ? value : ''}
      chosen={value ? [value] : []}
      onChoose={setAndClose}
    />
  );
};

const Choices = ({
  label,
  useOptions,
  chosen,
  onChoose,
  isMultiple = false,
  allowsText = false,
  initial = '',
}: {
  readonly label: string;
  readonly useOptions: UseOptions;
  readonly chosen: readonly string[];
  readonly onChoose: (value: string) => void;
  readonly isMultiple?: boolean;
  readonly allowsText?: boolean;
  readonly initial?: string;
}) => {
  const [typed, setTyped] = useState(initial);
  const text = useDeferredValue(typed);
  const found = useOptions(text);
  const own = typed.trim();
  // The chosen values come first while nothing is typed, so that they can be removed.
  const missing =
    isMultiple && !own ? chosen.filter((each) => !found?.some(({ value }) => value === each)) : [];
  const options = [
    ...missing.map((each) => ({ value: each, label: each })),
    ...(found ?? []).slice(0, MAX_SHOWN),
  ];
  const isNew = allowsText && own !== '' && !options.some(({ value }) => value === own);
  return (
    <OptionList
      label={label}
      placeholder={allowsText ? t('Type a value') : t('Type to search')}
      typed={typed}
      onTyped={setTyped}
      options={isNew ? [{ value: own, label: t('Exactly “{text}”', { text: own }) }, ...options] : options}
      selected={new Set(chosen)}
      onChoose={onChoose}
      isMultiple={isMultiple}
      isLoading={found === undefined}
      empty={allowsText && !own ? t('Type a value') : t('No matches')}
    />
  );
};

const DateEditor = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}) => {
  const [{ from, to }, setDays] = useState(daysOf(value) ?? { from: '', to: '' });
  const isReversed = from !== '' && to !== '' && from > to;
  return (
    <div className="flex flex-col gap-1">
      {datePresets.map((preset, at) => (
        <Button
          key={preset}
          autoFocus={at === 0}
          variant="quiet"
          className="justify-start! font-normal!"
          aria-pressed={preset === value}
          onClick={() => onChange(preset)}
        >
          {presetLabels[preset]}
        </Button>
      ))}
      <form
        className="mt-1 flex flex-col gap-2 border-t border-line px-2 pt-3 pb-1.5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReversed && (from || to)) onChange(`${from}..${to}`);
        }}
      >
        <Input
          label={t('From')}
          type="date"
          value={from}
          onChange={({ target }) => setDays({ from: target.value, to })}
        />
        <Input
          label={t('To')}
          type="date"
          value={to}
          error={isReversed && t('Must not be before the first day.')}
          onChange={({ target }) => setDays({ from, to: target.value })}
        />
        <Button type="submit" variant="primary" disabled={isReversed || !(from || to)}>
          {t('Apply')}
        </Button>
      </form>
    </div>
  );
};

export default FilterEditor;
