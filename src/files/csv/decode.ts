import { isAscii } from 'node:buffer';
import { readAhead } from './ahead.ts';
import { detectEncoding, type Encoding, type FileEncoding, guess, HEAD_BYTES } from './encoding.ts';
import { FileProblem } from './problem.ts';
import { completeEnd, firstBadByte } from './utf8.ts';

export interface DecodedText {
  /** The encoding. It can change until the text ends, if the first non-ASCII character comes late. */
  readonly file: FileEncoding;
  text: AsyncGenerator<string>;
}

/** Decodes a file in the chosen encoding or the one that its first bytes suggest. Invalid bytes throw a FileProblem right
 *  after the last good character, so that the reader can name the line. */
export const decodeText = async (
  bytes: AsyncIterable<Uint8Array>,
  chosen?: Encoding | undefined,
): Promise<DecodedText> => {
  let size = 0;
  const { read, all } = await readAhead(bytes, (chunk) => {
    size += chunk.length;
    return size >= HEAD_BYTES;
  });
  const head = Buffer.concat(read).subarray(0, HEAD_BYTES);
  const { bomLength, ...file } = detectEncoding(head, chosen);
  const chunks = skipBytes(bomLength, all);
  const isUnicode = file.encoding === 'utf-8';
  return {
    file,
    text: rejectNul(isUnicode ? utf8(chunks, bomLength > 0, file) : decodeWith(chunks, file.encoding)),
  };
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
    throw new FileProblem(
      `has bytes that are not ${encoding}. Choose the encoding of the file, or save it as UTF-8.`,
    );
  };

/** Decodes UTF-8. If everything before the first invalid byte was ASCII, the file has another encoding, and decoding
 *  continues with that. */
async function* utf8(
  chunks: AsyncIterable<Buffer>,
  isMarked: boolean,
  file: FileEncoding,
): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let canSwitch = !isMarked && file.source !== 'chosen';
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value;
      const bad = firstBadByte(bytes);
      const end = bad < 0 ? completeEnd(bytes) : bad;
      const good = bytes.subarray(0, end);
      canSwitch &&= isAscii(good);
      yield good.toString('utf8');
      rest = bytes.subarray(end);
      if (bad >= 0) return yield* switchEncoding(rest, iterator, canSwitch, file);
    }
    if (rest.length > 0) yield* switchEncoding(rest, iterator, canSwitch, file);
  } finally {
    await iterator.return?.();
  }
}

async function* switchEncoding(
  rest: Buffer,
  more: AsyncIterator<Buffer>,
  canSwitch: boolean,
  file: FileEncoding,
): AsyncGenerator<string> {
  if (!canSwitch) {
    throw new FileProblem(
      file.source === 'chosen'
        ? 'has bytes that are not utf-8. Choose the encoding of the file, or save it as UTF-8.'
        : 'has bytes that are not UTF-8, unlike the lines before it. Save the file as UTF-8.',
    );
  }
  Object.assign(file, guess(rest));
  yield* decodeWith(prepend(rest, more), file.encoding);
}

async function* prepend(first: Buffer, more: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await more.next(); !next.done; next = await more.next()) yield next.value;
}

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
