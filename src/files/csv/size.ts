import { MIB } from './limits.ts';
import { FileProblem } from './problem.ts';

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
