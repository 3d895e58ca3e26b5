import { useEffect, useState } from 'react';
import { Select, type SelectProps } from './field.tsx';
import { loadPhoneLibrary } from './phone-number.ts';

const names = new Intl.DisplayNames('en', { type: 'region' });

export const countryName = (code: string): string => names.of(code) ?? code;

export type CountrySelectProps = Pick<SelectProps, 'label' | 'hint' | 'error' | 'required' | 'disabled'> & {
  /** Two letters, or empty for none. */
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** What the choice of none is called; without it, a country cannot be taken back. */
  readonly none?: string;
};

/** The countries in which national numbers can be read, by their names. */
export const CountrySelect = ({ value, onChange, none, ...select }: CountrySelectProps) => {
  const [codes, setCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    void loadPhoneLibrary().then(
      ({ getCountries }) => setCodes(getCountries()),
      () => {},
    );
  }, []);
  const all = value && !codes.includes(value) ? [value, ...codes] : codes;
  const options = all
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
  const placeholder = none ?? (value === '' ? 'No country' : undefined);
  return (
    <Select
      {...select}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={value}
      options={options}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};
