import { useEffect, useState } from 'react';
import { locale } from '../lib/i18n.ts';
import type { Choice } from './choices-for.ts';
import { loadPhoneLibrary, type PhoneLibrary } from './phone-number.ts';
import { SearchSelect, type SearchSelectProps } from './search-select.tsx';

const names = new Intl.DisplayNames(locale, { type: 'region' });
const englishNames = new Intl.DisplayNames('en', { type: 'region' });

export const countryName = (code: string): string => names.of(code) ?? code;

/** The value is a two-letter code, or empty. */
export type CountrySelectProps = SearchSelectProps & {
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

const choicesOf = (countries: Countries): readonly Choice[] =>
  [...countries]
    .map(([code, callingCode]) => ({
      value: code,
      label: countryName(code),
      detail: `+${callingCode}`,
      names: `${code} ${englishNames.of(code)}`,
    }))
    .sort((one, other) => one.label.localeCompare(other.label, locale));

/** Empty while the phone library loads. */
const useCountries = (isByCallingCode: boolean): readonly Choice[] => {
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  useEffect(() => {
    void loadPhoneLibrary().then(
      (library) => setChoices(choicesOf(countriesIn(library, isByCallingCode))),
      () => {},
    );
  }, [isByCallingCode]);
  return choices;
};

const useAll = () => useCountries(false);
const useByCallingCode = () => useCountries(true);

/** Selects a country that phone numbers can be parsed for. */
export const CountrySelect = ({ value, none, isByCallingCode = false, ...select }: CountrySelectProps) => (
  <SearchSelect
    {...select}
    value={value}
    none={none}
    shown={value && countryName(value)}
    useChoices={isByCallingCode ? useByCallingCode : useAll}
  />
);
