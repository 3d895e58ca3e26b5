import { country } from '../features/workspaces/country.ts';
import type { Problem } from '../lib/errors.ts';
import { UsageError } from './command.ts';

/** The value of `--country`, in capital or small letters. */
export const readCountry = (text: string | undefined): string | undefined => {
  const problems: Problem[] = [];
  const code = text === undefined ? undefined : country.read(text.toUpperCase(), 'country', problems);
  if (problems[0]) throw new UsageError(`--country ${problems[0].message.replace(/\.$/, `, not ${text}.`)}`);
  return code;
};
