import { country } from '../features/workspaces/country.ts';
import type { Problem } from '../lib/errors.ts';
import { UsageError } from './command.ts';

/** Parses the value of `--country`, in any case. */
export const readCountry = (text: string | undefined): string | undefined => {
  const problems: Problem[] = [];
  const code = text === undefined ? undefined : country.read(text.toUpperCase(), 'country', problems);
  if (problems[0]) throw new UsageError(`--country ${problems[0].message.replace(/\.$/, `, not ${text}.`)}`);
  return code;
};
