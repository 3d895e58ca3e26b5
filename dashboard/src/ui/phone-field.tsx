import { type ChangeEvent, useEffect, useRef, useState } from 'react';
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
    ? `Numbers without a country code are assumed to be in ${countryName(country)}.`
    : 'Include the country code, e.g. +1 212 555 0123.';
};

export interface PhoneFieldProps extends Omit<FieldProps, 'hint'> {
  /** `+` and digits, or empty. */
  readonly value: string;
  /** Gets the number once it can be sent, and an empty text while it cannot. */
  readonly onChange: (value: string) => void;
  /** The country of numbers that are typed without a code, such as `US`; null where the workspace has none. */
  readonly country?: string | null;
  readonly autoFocus?: boolean;
}

/** Formats and checks while one types; what it gives is always `+` and digits. A number without a country code, in a
 *  workspace without a country, is asked about and never guessed. */
export const PhoneField = ({ value, onChange, country, error, autoFocus, ...field }: PhoneFieldProps) => {
  const [library, setLibrary] = useState<PhoneLibrary>();
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
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
  if (value !== given) {
    setGiven(value);
    setText(readNumber(library, value, home).shown);
  }
  const take = (typed: string, isAtEnd: boolean) => {
    const { shown, number } = readNumber(library, typed, home);
    // Formatting in the middle of a number would move the caret away from where one types.
    setText(isAtEnd ? shown : typed);
    // A stored number that was not touched stays as it is, whatever its form.
    if (!touched.current) return;
    setGiven(number);
    if (number !== value) onChange(number);
  };
  const latest = useRef({ take, text });
  latest.current = { take, text };
  // What was typed before the library or the country was known is read again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two are the occasion, not an input
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
            // biome-ignore lint/a11y/noAutofocus: asked for where the field is the first thing to fill in
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
          label="Country of this number"
          hint="Or enter the number with its country code."
          none="Choose a country"
          value={chosen}
          onChange={setChosen}
        />
      )}
    </>
  );
};
