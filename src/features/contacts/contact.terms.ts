import { searchable } from './contact.store.ts';
import { phoneNeedle } from './phone.ts';

/* How the dashboard, exports and enrollments find contacts. They match more than the `search` of the API: words in any order,
 * any kind of apostrophe, a national number with its trunk prefix, and a company. */

export interface ContactFilter {
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly company?: string | undefined;
}

export interface Terms {
  /** The part of the search that the index finds. */
  readonly search: string;
  /** A JSON array of patterns that a match must all contain. */
  readonly words: string;
}

/** As typed, and as word processors replace them. */
export const APOSTROPHES = ["'", '’', '‘', 'ʼ', '`'] as const;
const APOSTROPHE = new RegExp(`[${APOSTROPHES.join('')}]`, 'g');

const patternOf = (word: string) => `%${word.replace(APOSTROPHE, "'").replace(/[\\%_]/g, '\\$&')}%`;

export const termsOf = (search: string): Terms => {
  if (phoneNeedle(search) !== null) {
    // A stored number has no trunk prefix.
    return { search: search.replace(/^[\s(]*0+(?=.*\d)/, ''), words: '[]' };
  }
  const words = searchable(search).split(/\s+/).filter(Boolean);
  const parts = words.flatMap((word) => word.split(APOSTROPHE)).filter((part) => /\D/.test(part));
  const [longest = ''] = parts.sort((one, other) => other.length - one.length);
  if (longest === '' || (words.length === 1 && longest === words[0])) return { search, words: '[]' };
  return { search: longest, words: JSON.stringify(words.map(patternOf)) };
};

/** Whether the search of the API finds the same contacts. */
export const isPlain = ({ company }: ContactFilter, { words }: Terms): boolean => !company && words === '[]';
