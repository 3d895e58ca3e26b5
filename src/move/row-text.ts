import type { Row } from './tables.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (value: string | null): string =>
  value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string);

/** A row as a line of the text format of COPY. Different rows have different lines, so it is also the form that digests are
 *  computed of. */
export const rowText = (row: Row): string => `${row.map(escaped).join('\t')}\n`;
