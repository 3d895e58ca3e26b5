import { useEffect, useState } from 'react';
import { locale, t } from '../lib/i18n.ts';
import { Select, type SelectProps } from './field.tsx';
import { loadPhoneLibrary } from './phone-number.ts';

const names = new Intl.DisplayNames(locale, { type: 'region' });

export const countryName = (code: string): string => names.of(code) ?? code;

export type CountrySelectProps = Pick<
  SelectProps,
  'label' | 'hideLabel' | 'hint' | 'error' | 'required' | 'disabled'
> & {
  /** A two-letter code, or empty. */
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** The label of the option for no country; without it, a country cannot be unset. */
  readonly none?: string;
};

/** Selects a country that phone numbers can be parsed for. */
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
    .sort((one, other) => one.label.localeCompare(other.label, locale));
  const placeholder = none ?? (value === '' ? t('No country') : undefined);
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
