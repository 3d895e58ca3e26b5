/** Characters that control a terminal: C0 except the line feed and the tab, DEL, C1, line separators, and overrides of the text
 *  direction. */
const CONTROL = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes control characters as `\u001b`, which inside a JSON string is the same value. */
export const escapeControlCharacters = (text: string): string => text.replace(CONTROL, escaped);

export const escapeLine = (text: string): string => escapeControlCharacters(text).replace(/[\n\t]/g, escaped);
