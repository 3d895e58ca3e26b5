import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { FilterableBox, MAX_FILTERABLE } from '../../records/fields/filterable.tsx';
import { fieldTypeLabels } from '../../records/fields/labels.ts';
import { optionsIn } from '../../records/fields/values.ts';
import { Input, Select, Textarea } from '../../ui/field.tsx';
import { isKeyValid, type NewField } from './mapping.ts';

const MAX_LABEL = 100;
const types = Object.entries(fieldTypeLabels).map(([value, label]) => ({ value, label }));

/** The definition of a field that a column creates. Its type was guessed from the first cells. */
export const NewFieldForm = ({
  column,
  field,
  filterableCount,
  onChange,
}: {
  readonly column: string;
  readonly field: NewField;
  /** How many fields are filterable, with those of other columns. */
  readonly filterableCount: number;
  readonly onChange: (field: NewField) => void;
}) => {
  const [options, setOptions] = useState(field.options?.join('\n') ?? '');
  const set = ({
    options: entered = options,
    ...change
  }: Partial<Omit<NewField, 'options'>> & { options?: string }) => {
    const { options: _, ...next } = { ...field, ...change };
    onChange(next.type === 'enum' ? { ...next, options: optionsIn(entered) } : next);
  };
  return (
    <fieldset
      aria-label={t('New field of {name}', { name: column })}
      className="grid gap-3 rounded-lg bg-sunken p-3 sm:col-span-full sm:grid-cols-3"
    >
      <Input
        label={t('Label')}
        required
        maxLength={MAX_LABEL}
        autoComplete="off"
        value={field.label ?? ''}
        error={field.label?.trim() === '' && t('Enter a label.')}
        onChange={({ target }) => set({ label: target.value })}
      />
      <Input
        label={t('Key')}
        hint={t('The name in instructions and in the API.')}
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="[&_input]:font-mono"
        value={field.key}
        error={!isKeyValid(field) && t('Start with a letter; use a–z, 0–9 and _.')}
        onChange={({ target }) => set({ key: target.value })}
      />
      <Select
        label={t('Type')}
        hint={t('Guessed from the first rows.')}
        options={types}
        value={field.type}
        onChange={({ target }) => set({ type: target.value as NewField['type'] })}
      />
      {field.type === 'enum' && (
        <Textarea
          label={t('Options')}
          hint={t('One per line. Cells with another value are skipped.')}
          required
          className="sm:col-span-full"
          value={options}
          error={field.options?.length === 0 && t('Enter at least one option.')}
          onChange={({ target }) => {
            setOptions(target.value);
            set({ options: target.value });
          }}
        />
      )}
      <div className="sm:col-span-full">
        <FilterableBox
          count={filterableCount}
          isFull={field.filterable !== true && filterableCount >= MAX_FILTERABLE}
          checked={field.filterable === true}
          onChange={(filterable) => set({ filterable })}
        />
      </div>
    </fieldset>
  );
};
