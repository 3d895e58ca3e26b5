import { useEffect, useState } from 'react';
import { locale, t } from '../lib/i18n.ts';
import { Select, type SelectProps } from './field.tsx';
import { loadPhoneLibrary, type PhoneLibrary } from './phone-number.ts';

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
  /** Offers one country for each calling code, which several can share. */
  readonly isByCallingCode?: boolean;
};

type Countries = ReadonlyMap<string, string>;

/** The countries with their calling codes. */
const countriesIn = (
  { getCountries, getCountryCallingCode, Metadata }: PhoneLibrary,
  isByCallingCode: boolean,
): Countries => {
  const metadata = new Metadata() as unknown as {
    getCountryCodesForCallingCode: (code: string) => readonly string[];
  };
  const isMain = ([country, code]: readonly [string, string]) =>
    metadata.getCountryCodesForCallingCode(code)[0] === country;
  const all = getCountries().map((country) => [country, getCountryCallingCode(country)] as const);
  return new Map(isByCallingCode ? all.filter(isMain) : all);
};

/** Selects a country that phone numbers can be parsed for. */
export const CountrySelect = ({
  value,
  onChange,
  none,
  isByCallingCode = false,
  ...select
}: CountrySelectProps) => {
  const [countries, setCountries] = useState<Countries>(new Map());
  useEffect(() => {
    void loadPhoneLibrary().then(
      (library) => setCountries(countriesIn(library, isByCallingCode)),
      () => {},
    );
  }, [isByCallingCode]);
  const codes = [...countries.keys()];
  const all = value && !codes.includes(value) ? [value, ...codes] : codes;
  const labelOf = (code: string) =>
    isByCallingCode && countries.has(code)
      ? `${countryName(code)} (+${countries.get(code)})`
      : countryName(code);
  const options = all
    .map((code) => ({ value: code, label: labelOf(code) }))
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
