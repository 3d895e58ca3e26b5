/** Characters that act on a terminal instead of being shown: C0 except the line feed, DEL, C1, line separators, and the
 *  marks that override the direction of text. */
const ACTING = /(?!\n)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text in which every character that a terminal would obey is written as `\u001b`. Inside a JSON string this is the
 *  same value. */
export const escapeControlCharacters = (text: string): string => text.replace(ACTING, escaped);

/** The same for a text that must stay on one line. */
export const escapeLine = (text: string): string => escapeControlCharacters(text).replaceAll('\n', '\\u000a');
