import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { CountrySelect, countryName } from './country-select.tsx';
import { Field, type FieldProps } from './field.tsx';
import { isNational, loadPhoneLibrary, type PhoneLibrary, readNumber } from './phone-number.ts';

const hintOf = (
  library: PhoneLibrary | undefined,
  value: string,
  country: string | null | undefined,
): string => {
  const parsed = value && library?.parsePhoneNumberFromString(value);
  if (parsed)
    return `${parsed.country ? `${countryName(parsed.country)}: ` : ''}${parsed.formatInternational()}`;
  return country
    ? t('Country of numbers without a country code: {country}.', { country: countryName(country) })
    : t('Include the country code, e.g. +1 212 555 0123.');
};

export interface PhoneFieldProps extends Omit<FieldProps, 'hint'> {
  /** In E.164 format, or empty. */
  readonly value: string;
  /** Called with the number in E.164 format, or with an empty text while it is incomplete or invalid. */
  readonly onChange: (value: string) => void;
  /** The country for numbers without a country code, such as `US`; null if the workspace has none. */
  readonly country?: string | null;
  readonly autoFocus?: boolean;
}

/** Formats and validates a phone number while typing. If neither the number nor the workspace has a country, asks
 *  for it instead of guessing. */
export const PhoneField = ({ value, onChange, country, error, autoFocus, ...field }: PhoneFieldProps) => {
  const [library, setLibrary] = useState<PhoneLibrary>();
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [left, setLeft] = useState(false);
  const [chosen, setChosen] = useState('');
  const touched = useRef(false);
  const home = country || chosen || null;
  useEffect(() => {
    void loadPhoneLibrary().then(
      (loaded) => setLibrary(() => loaded),
      () => {},
    );
  }, []);
  if (value !== lastValue) {
    setLastValue(value);
    setText(readNumber(library, value, home).shown);
  }
  const take = (typed: string, isAtEnd: boolean) => {
    const { shown, number } = readNumber(library, typed, home);
    // Formatting while editing in the middle would move the caret.
    setText(isAtEnd ? shown : typed);
    // A stored number that was not edited stays as it is.
    if (!touched.current) return;
    setLastValue(number);
    if (number !== value) onChange(number);
  };
  const latest = useRef({ take, text });
  latest.current = { take, text };
  // Parses the text again once the library or the country is known.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when one of these changes
  useEffect(() => latest.current.take(latest.current.text, true), [library, home]);

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    touched.current = true;
    take(target.value, target.value.length > text.length && target.selectionStart === target.value.length);
  };
  const { problem } = readNumber(library, text, home);
  const asks = country === null && isNational(text);
  return (
    <>
      <Field
        {...field}
        hint={hintOf(library, value, home)}
        error={(left || error ? problem : undefined) ?? error}
      >
        {(own) => (
          <input
            {...own}
            type="tel"
            inputMode="tel"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: set by dialogs for their first field
            autoFocus={autoFocus}
            className="control figure"
            value={text}
            onChange={change}
            onBlur={() => setLeft(true)}
          />
        )}
      </Field>
      {asks && (
        <CountrySelect
          label={t('Country of this number')}
          hint={t('Or enter the number with its country code.')}
          none={t('Choose a country')}
          value={chosen}
          onChange={setChosen}
        />
      )}
    </>
  );
};
