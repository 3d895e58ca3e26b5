import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Field, type FieldProps } from './field.tsx';

type Library = typeof import('libphonenumber-js/min');
type Country = import('libphonenumber-js/min').CountryCode;

let loading: Promise<Library> | undefined;
const load = () => {
  loading ??= import('libphonenumber-js/min');
  return loading;
};

/** The number as the service takes it: `+` and digits alone. */
export const plainNumber = (typed: string): string => {
  const digits = typed.replace(/\D/g, '');
  return digits && `+${digits}`;
};

const regions = new Intl.DisplayNames('en', { type: 'region' });

const hintOf = (library: Library | undefined, value: string): string => {
  const parsed = library?.parsePhoneNumberFromString(value);
  if (!parsed) return 'With the country code, such as +1 212 555 0123.';
  const place = parsed.country ? regions.of(parsed.country) : undefined;
  return `${place ? `${place}: ` : ''}${parsed.formatInternational()}`;
};

const WRITTEN_AS: Record<string, string> = {
  TOO_SHORT: 'This number is not complete yet.',
  TOO_LONG: 'This number has too many digits.',
  INVALID_COUNTRY: 'No country has this code.',
  NOT_A_NUMBER: 'This is no phone number.',
};

/** What is wrong with a number, once it can be known. Fiction and test ranges are fine, so only the length is checked. */
const problemOf = (library: Library | undefined, value: string): string | undefined => {
  if (!library || value === '') return undefined;
  const reason = library.validatePhoneNumberLength(value);
  return reason && (WRITTEN_AS[reason] ?? 'This number has a length that its country does not use.');
};

export interface PhoneFieldProps extends Omit<FieldProps, 'hint'> {
  /** `+` and digits, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The country of numbers that are typed without a code, such as `US`. */
  readonly country?: string | null;
  readonly autoFocus?: boolean;
}

/** What was typed, as it is shown and as the service takes it. Without a `+` it is a number of the given country, or one
 *  whose `+` was left out. Until the library is there, nothing is formatted. */
const readNumber = (library: Library | undefined, typed: string, country: string | null | undefined) => {
  if (typed.trim() === '') return { shown: '', number: '' };
  if (!library) return { shown: typed, number: plainNumber(typed) };
  const isNational = !typed.trimStart().startsWith('+');
  const home = isNational && country ? (country as Country) : undefined;
  const whole = isNational && !home ? `+${typed.replace(/\D/g, '')}` : typed;
  const format = new library.AsYouType(home);
  const shown = format.input(whole);
  return { shown, number: (home ? format.getNumberValue() : plainNumber(whole)) ?? '' };
};

/** Formats and checks while one types; what it gives is always `+` and digits. */
export const PhoneField = ({ value, onChange, country, error, autoFocus, ...field }: PhoneFieldProps) => {
  const [library, setLibrary] = useState<Library>();
  const [text, setText] = useState(value);
  const [told, setTold] = useState(value);
  const [left, setLeft] = useState(false);
  useEffect(() => {
    void load().then(
      (loaded) => setLibrary(() => loaded),
      () => {},
    );
  }, []);
  if (value !== told) {
    setTold(value);
    setText(readNumber(library, value, country).shown);
  }
  const take = (typed: string, isAtEnd: boolean) => {
    const { shown, number } = readNumber(library, typed, country);
    // Formatting in the middle of a number would move the caret away from where one types.
    setText(isAtEnd ? shown : typed);
    setTold(number);
    if (number !== value) onChange(number);
  };
  const latest = useRef({ take, text });
  latest.current = { take, text };
  // What was typed before the library or the country was known is read again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two are the occasion, not an input
  useEffect(() => latest.current.take(latest.current.text, true), [library, country]);

  const change = ({ target }: ChangeEvent<HTMLInputElement>) =>
    take(target.value, target.value.length > text.length && target.selectionStart === target.value.length);
  const problem = error ?? (left ? problemOf(library, value) : undefined);
  return (
    <Field {...field} hint={hintOf(library, value)} error={problem}>
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
  );
};
