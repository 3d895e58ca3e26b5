import { FileProblem } from './problem.ts';

const MIB = 1_048_576;
const shown = (bytes: number) => `${(bytes / MIB).toLocaleString('en')} MiB`;

/** Refuses a file whose size is known before it is read. */
export const assertSize = (size: number, largest: number): void => {
  if (size <= largest) return;
  const reason = `The file is larger than ${shown(largest)}. Split it and send the parts.`;
  throw new FileProblem(reason, undefined, 'PAYLOAD_TOO_LARGE');
};

/** The bytes of a file, as far as it may go. */
export async function* upToSize(
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largest) {
      const reason = `goes beyond ${shown(largest)}. Split the file here and send the parts.`;
      throw new FileProblem(reason, undefined, 'PAYLOAD_TOO_LARGE');
    }
    yield chunk;
  }
}
