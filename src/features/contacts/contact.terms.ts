import type { Condition } from '../../records/list.declaration.ts';
import type { BodyFilter } from './contact.schema.ts';
import { searchable } from './contact.store.ts';
import { phoneNeedle } from './phone.ts';

/* How the dashboard, exports and enrollments find contacts. They match more than the `search` of the API: words in any order,
 * any kind of apostrophe, and a national number with its trunk prefix. */

/** Which contacts a list, an export or a job includes: those that meet every given condition. It is plain data and can be
 *  stored. The schemas are `contactFilter` for a body and `filterFields` for a query. */
export type ContactFilter = { readonly [Name in keyof BodyFilter]?: BodyFilter[Name] | undefined } & {
  /** The time to which relative times refer, by default that of the operation. */
  readonly now?: string;
  /** What they have become (see contact.filters.ts). */
  readonly conditions?: readonly Condition[];
  readonly ranges?: readonly FoundRange[];
};

/** Where indexes have all contacts of a filter (see filter.ranges.ts), and the filter's conditions that its contacts meet. */
export interface FoundRange {
  readonly found: Condition;
  readonly applied: readonly Condition[];
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

/** The normalized text that a search looks for, and its digits if it can be part of a phone number. */
export const needleOf = (search: string) => ({ text: searchable(search), phone: phoneNeedle(search) });

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

/** The words as a condition. */
export const wordsOf = ({ words }: Terms): Condition[] =>
  words === '[]' ? [] : [{ filter: 'words', value: words }];
