import { useDeferredValue, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { type Option, OptionList } from '../../ui/option-list.tsx';
import type { UseOptions } from './definition.ts';

const among = (options: readonly Option[], typed: string): readonly Option[] =>
  options.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));

export const fixed =
  (options: readonly Option[]): UseOptions =>
  (typed) =>
    among(options, typed);
export const none: UseOptions = () => [];

/** Typing finds the others. */
const MAX_SHOWN = 100;

/** Chooses one or several values, in a popover. */
export const Choices = ({
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
