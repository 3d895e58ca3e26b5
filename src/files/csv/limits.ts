import { FileProblem } from './problem.ts';

export const MIB = 1_048_576;

/** A cell of a column that is not imported is stored up to this length. No field takes a longer text, so the column can be mapped
 *  later. */
export const MAX_UNMAPPED_CELL = 8_192;

/** Limits of a record, in UTF-16 code units. The largest contact takes less than half of a record. */
export const limits = { columns: 200, record: 65_536, cell: 32_768 } as const;

/** The size of a step: it ends after the row whose cells, as JSON, reach this total. */
export const STEP_BYTES = 1_048_576;

/** In bytes: about ten million contacts. */
export const MAX_FILE_BYTES = 1_073_741_824;

/** Records that are read together. */
export const RECORDS_PER_BATCH = 50;

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** How many bytes of a file a preview reads. */
export const MAX_SAMPLE_BYTES = 1_048_576;

const inMib = (bytes: number) => `${(bytes / MIB).toLocaleString('en')} MiB`;

export const assertSize = (size: number, maxBytes: number): void => {
  if (size <= maxBytes) return;
  const reason = `The file exceeds ${inMib(maxBytes)}. Split it and send the parts.`;
  throw new FileProblem(reason, undefined, 'PAYLOAD_TOO_LARGE');
};

/** Throws a problem where the bytes exceed the limit. */
export async function* limitSize(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  problem = `exceeds ${inMib(maxBytes)}. Split the file here and send the parts.`,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new FileProblem(problem, undefined, 'PAYLOAD_TOO_LARGE');
    yield chunk;
  }
}
