import { searchable } from './contact.store.ts';
import { phoneNeedle } from './phone.ts';

/* How the dashboard, exports and enrollments find contacts. They find more than the `search` of the API: words in any order,
 * either kind of apostrophe, a national number with its trunk prefix, and the contacts of a company. */

export interface ContactFilter {
  readonly search?: string | undefined;
  readonly tag?: string | undefined;
  readonly company?: string | undefined;
}

export interface Terms {
  /** A text that the index can look for. */
  readonly search: string;
  /** A JSON array of patterns that must all fit what was found. */
  readonly words: string;
}

/** As they are typed and as word processors write them. */
export const APOSTROPHES = ["'", '’', '‘', 'ʼ', '`'] as const;
const APOSTROPHE = new RegExp(`[${APOSTROPHES.join('')}]`, 'g');

const patternOf = (word: string) => `%${word.replace(APOSTROPHE, "'").replace(/[\\%_]/g, '\\$&')}%`;

export const termsOf = (search: string): Terms => {
  if (phoneNeedle(search) !== null) {
    // A stored number has no trunk prefix, so that the search finds it in any country.
    return { search: search.replace(/^[\s(]*0+(?=.*\d)/, ''), words: '[]' };
  }
  const words = searchable(search).split(/\s+/).filter(Boolean);
  const pieces = words.flatMap((word) => word.split(APOSTROPHE)).filter((piece) => /\D/.test(piece));
  const [longest = ''] = pieces.sort((one, other) => other.length - one.length);
  if (longest === '' || (words.length === 1 && longest === words[0])) return { search, words: '[]' };
  return { search: longest, words: JSON.stringify(words.map(patternOf)) };
};

/** Whether the list of the API finds the same. */
export const isPlain = ({ company }: ContactFilter, { words }: Terms): boolean => !company && words === '[]';
