import { useState } from 'react';
import { datePresets, daysOf } from '../../lib/date-range.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Choices, fixed, none } from './choices.tsx';
import {
  type Filter,
  type FilterChange,
  type FilterValues,
  filterValue,
  presetLabels,
} from './definition.ts';

interface EditorProps {
  readonly filter: Filter;
  readonly values: FilterValues;
  readonly onChange: (change: FilterChange) => void;
  /** The value is complete. */
  readonly onDone: () => void;
}

/** The fields of one filter, in a popover. */
const FilterEditor = ({ filter, values, onChange, onDone }: EditorProps) => {
  const value = filterValue(values, filter.name);
  const set = (next: string | undefined) => onChange({ [filter.name]: next || undefined });
  const setAndClose = (next: string | undefined) => {
    set(next);
    onDone();
  };
  if (filter.kind === 'dates') return <DateEditor value={value} onChange={setAndClose} />;
  const useOptions = filter.kind === 'choice' ? fixed(filter.options) : (filter.useOptions ?? none);
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
      <Form
        className="mt-1 flex flex-col gap-2 border-t border-line px-2 pt-3 pb-1.5"
        onSubmit={() => !isReversed && (from || to) && onChange(`${from}..${to}`)}
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
      </Form>
    </div>
  );
};

export default FilterEditor;
