import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { escapeControlCharacters } from '../lib/control-characters.ts';

/** Prints text or JSON. Stored text may hold terminal escape sequences: all that a command prints, apart from exported
 *  files, goes through here. */
export const printText = (text: string): void => {
  process.stdout.write(escapeControlCharacters(text));
};

/** The same for stderr. */
export const printError = (text: string): void => {
  process.stderr.write(escapeControlCharacters(text));
};

/** The output does not take what is written to it. */
export class OutputError extends Error {}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EFBIG: 'it is as large as a file can be',
};

export const outputError = (where: string, { code = '' }: { code?: string }): OutputError =>
  new OutputError(
    `No more can be written to ${where}: ${REASONS[code] ?? code}. What is there is not whole.`,
  );

/** Writes chunks no faster than they are taken. A file or a program gets them as they are, a terminal in a visible form. */
export const writeAll = async (output: Writable, chunks: AsyncIterable<string>): Promise<void> => {
  const isTerminal = 'isTTY' in output && output.isTTY === true;
  for await (const chunk of chunks)
    if (!output.write(isTerminal ? escapeControlCharacters(chunk) : chunk)) await once(output, 'drain');
};
