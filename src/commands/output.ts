import { once } from 'node:events';
import type { Writable } from 'node:stream';

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

/** Writes chunks no faster than they are taken. */
export const writeAll = async (output: Writable, chunks: AsyncIterable<string>): Promise<void> => {
  for await (const chunk of chunks) if (!output.write(chunk)) await once(output, 'drain');
};
