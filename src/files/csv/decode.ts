import { readAhead } from './ahead.ts';
import { detectEncoding, type Encoding, type FileEncoding, HEAD_BYTES } from './encoding.ts';
import { FileProblem } from './problem.ts';
import { completeEnd, firstBadByte } from './utf8.ts';

/** Decodes a file in the chosen encoding or the one that its first bytes suggest. Invalid bytes throw a FileProblem right
 *  after the last good character, so that the reader can name the line. */
export const decodeText = async (
  bytes: AsyncIterable<Uint8Array>,
  chosen?: Encoding | undefined,
): Promise<{ file: FileEncoding; text: AsyncGenerator<string> }> => {
  let size = 0;
  const { read, all } = await readAhead(bytes, (chunk) => {
    size += chunk.length;
    return size >= HEAD_BYTES;
  });
  const head = Buffer.concat(read).subarray(0, HEAD_BYTES);
  const { bomLength, ...file } = detectEncoding(head, chosen);
  const chunks = skipBytes(bomLength, all);
  const text = file.encoding === 'utf-8' ? decodeUtf8(chunks) : decodeWith(chunks, file.encoding);
  return { file, text: rejectNul(text) };
};

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function* skipBytes(count: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let skip = count;
  for await (const chunk of bytes) {
    const rest = view(chunk).subarray(skip);
    skip -= Math.min(skip, chunk.length);
    if (rest.length > 0) yield rest;
  }
}

async function* decodeWith(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const check = checkReadable(encoding);
  for await (const chunk of chunks) yield* check(decoder.decode(chunk, { stream: true }));
  yield* check(decoder.decode());
}

/** Throws at the first character that could not be decoded. */
const checkReadable = (encoding: Encoding) =>
  function* (text: string): Generator<string> {
    const bad = encoding.startsWith('utf-16') ? -1 : text.indexOf('\ufffd');
    if (bad < 0) return yield text;
    yield text.slice(0, bad);
    throw notIn(encoding);
  };

async function* decodeUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const bad = firstBadByte(bytes);
    const end = bad < 0 ? completeEnd(bytes) : bad;
    yield bytes.toString('utf8', 0, end);
    if (bad >= 0) throw notIn('utf-8');
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) throw notIn('utf-8');
}

const notIn = (encoding: string) =>
  new FileProblem(
    `has bytes that are not ${encoding}. Choose the encoding of the file, or save it as UTF-8.`,
  );

async function* rejectNul(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of text) {
    const nul = chunk.indexOf('\0');
    if (nul < 0) {
      if (chunk !== '') yield chunk;
      continue;
    }
    yield chunk.slice(0, nul);
    throw new FileProblem('has a NUL character. The file is damaged or is not a text file.');
  }
}
