import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type InspectColor, styleText } from 'node:util';
import { escapeControlCharacters, escapeLine } from '../lib/control-characters.ts';
import { FILE_PROBLEMS } from '../lib/file-problems.ts';

/** Prints to stdout. Stored text may contain terminal escape sequences, so everything except exported files is printed
 *  through here. */
export const printText = (text: string): void => {
  process.stdout.write(escapeControlCharacters(text));
};

/** The same for stderr. */
export const printError = (text: string): void => {
  process.stderr.write(escapeControlCharacters(text));
};

export interface StyledText {
  readonly text: string;
  readonly format?: InspectColor | undefined;
}

/** Prints one line to stdout, in color if it is a terminal and NO_COLOR is not set. */
export const printStyled = (parts: readonly StyledText[]): void => {
  const styled = parts.map(({ text, format }) => {
    const line = escapeLine(text);
    return format === undefined ? line : styleText(format, line);
  });
  process.stdout.write(`${styled.join('  ')}\n`);
};

/** Writing the output failed. */
export class OutputError extends Error {}

export const outputError = (where: string, { code = '' }: { code?: string }): OutputError =>
  new OutputError(`Cannot write to ${where}: ${FILE_PROBLEMS[code] ?? code}. The output is incomplete.`);

/** Writes chunks with backpressure. Control characters are escaped only on a terminal. */
export const writeAll = async (output: Writable, chunks: AsyncIterable<string> | string[]): Promise<void> => {
  const isTerminal = 'isTTY' in output && output.isTTY === true;
  for await (const chunk of chunks)
    if (!output.write(isTerminal ? escapeControlCharacters(chunk) : chunk)) await once(output, 'drain');
};
