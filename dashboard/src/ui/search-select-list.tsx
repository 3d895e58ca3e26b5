import { useState } from 'react';
import { t } from '../lib/i18n.ts';
import { type Choice, choicesFor } from './choices-for.ts';
import { OptionList } from './option-list.tsx';

/** The search and the options of a `SearchSelect`. */
const SearchSelectList = ({
  label,
  initial,
  value,
  none,
  useChoices,
  onChoose,
}: {
  readonly label: string;
  readonly initial: string;
  readonly value: string;
  readonly none: string | undefined;
  readonly useChoices: () => readonly Choice[];
  readonly onChoose: (value: string) => void;
}) => {
  const [typed, setTyped] = useState(initial);
  const all = useChoices();
  const offered = none === undefined ? all : [{ value: '', label: none }, ...all];
  return (
    <OptionList
      label={label}
      placeholder={t('Type to search')}
      typed={typed}
      onTyped={setTyped}
      options={choicesFor(typed, value, offered)}
      selected={new Set([value])}
      onChoose={onChoose}
      isLoading={all.length === 0}
    />
  );
};

export default SearchSelectList;
