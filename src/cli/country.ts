import { country } from '../features/workspaces/country.ts';
import { readField } from './command.ts';

const anyCase: Pick<typeof country, 'read'> = {
  read: (value, ...more) => country.read(String(value).toUpperCase(), ...more),
};

/** Parses the value of `--country`, in any case. */
export const readCountry = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : readField('country', anyCase, text);
