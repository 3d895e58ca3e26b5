import { Checkbox } from '../../ui/checkbox.tsx';
import { CountrySelect } from '../../ui/country-select.tsx';
import { Select } from '../../ui/field.tsx';
import { existingLabels, invalidLabels, tagLabels } from './labels.ts';
import type { Rules } from './mapping.ts';

const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** The rules of an import: default country, existing contacts, tags and invalid cells. */
export const RuleFields = ({
  rules,
  noCountryLabel,
  onChange,
}: {
  readonly rules: Rules;
  /** The label of the option for no country, if that is allowed. */
  readonly noCountryLabel?: string | undefined;
  readonly onChange: (change: Partial<Rules>) => void;
}) => (
  <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
    <CountrySelect
      label="Default country for local numbers"
      hint={
        rules.country
          ? 'Numbers without a country code are assumed to be in this country.'
          : 'Without a default country, numbers without a country code are invalid.'
      }
      {...(noCountryLabel && { none: noCountryLabel })}
      value={rules.country}
      onChange={(country) => onChange({ country })}
    />
    <Select
      label="If the contact already exists"
      hint="Empty cells never clear a field."
      value={rules.on_existing}
      options={optionsOf(existingLabels)}
      onChange={({ target }) => onChange({ on_existing: target.value as Rules['on_existing'] })}
    />
    <Select
      label="Tags of existing contacts"
      hint={rules.on_existing === 'skip' ? 'Tags are kept: existing contacts are skipped.' : undefined}
      disabled={rules.on_existing === 'skip'}
      value={rules.tags}
      options={optionsOf(tagLabels)}
      onChange={({ target }) => onChange({ tags: target.value as Rules['tags'] })}
    />
    <Select
      label="If an optional cell is invalid"
      hint="A row without a valid phone number is always skipped."
      value={rules.on_invalid}
      options={optionsOf(invalidLabels)}
      onChange={({ target }) => onChange({ on_invalid: target.value as Rules['on_invalid'] })}
    />
    <div className="self-center">
      <Checkbox
        label="Legacy migration"
        hint="For data from an older system: numbers that can't be converted to international format are kept as written instead of rejected."
        checked={rules.legacy}
        onChange={(legacy) => onChange({ legacy })}
      />
    </div>
  </div>
);
