import { isAscii } from 'node:buffer';
import { readAhead } from './ahead.ts';
import { detectEncoding, type Encoding, type FileEncoding, guess, HEAD_BYTES } from './encoding.ts';
import { FileProblem } from './problem.ts';
import { completeEnd, firstBadByte } from './utf8.ts';

export interface DecodedText {
  /** What the text is read in: it can change until the text has ended, where the first letter beyond ASCII comes late. */
  readonly file: FileEncoding;
  text: AsyncGenerator<string>;
}

/** The text of a file, in the encoding that was chosen or that its beginning shows. What cannot be text ends the stream
 *  with a FileProblem right after the last good character, so that the reader can name the line. */
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
  const { mark, ...file } = detectEncoding(head, chosen);
  const chunks = without(mark, all);
  const isUnicode = file.encoding === 'utf-8';
  return { file, text: refuseNul(isUnicode ? utf8(chunks, mark > 0, file) : other(chunks, file.encoding)) };
};

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function* without(mark: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let skip = mark;
  for await (const chunk of bytes) {
    const kept = view(chunk).subarray(skip);
    skip -= Math.min(skip, chunk.length);
    if (kept.length > 0) yield kept;
  }
}

async function* other(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const check = checkReadable(encoding);
  for await (const chunk of chunks) yield* check(decoder.decode(chunk, { stream: true }));
  yield* check(decoder.decode());
}

/** Passes text on up to a character that the bytes do not have in this encoding. */
const checkReadable = (encoding: Encoding) =>
  function* (text: string): Generator<string> {
    const bad = encoding.startsWith('utf-16') ? -1 : text.indexOf('\ufffd');
    if (bad < 0) return yield text;
    yield text.slice(0, bad);
    throw new FileProblem(
      `has bytes that are not ${encoding}. Choose the encoding of the file, or save it as UTF-8.`,
    );
  };

/** UTF-8, unless only ASCII came before the first byte that is not: then nothing has spoken for UTF-8 yet, and the file
 *  has another encoding, whose first special letter came late. */
async function* utf8(
  chunks: AsyncIterable<Buffer>,
  isMarked: boolean,
  file: FileEncoding,
): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let isFree = !isMarked && file.source !== 'chosen';
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value;
      const bad = firstBadByte(bytes);
      const end = bad < 0 ? completeEnd(bytes) : bad;
      const good = bytes.subarray(0, end);
      isFree &&= isAscii(good);
      yield good.toString('utf8');
      rest = bytes.subarray(end);
      if (bad >= 0) return yield* notUtf8(rest, iterator, isFree, file);
    }
    if (rest.length > 0) yield* notUtf8(rest, iterator, isFree, file);
  } finally {
    await iterator.return?.();
  }
}

async function* notUtf8(
  rest: Buffer,
  more: AsyncIterator<Buffer>,
  isFree: boolean,
  file: FileEncoding,
): AsyncGenerator<string> {
  if (!isFree) {
    throw new FileProblem(
      file.source === 'chosen'
        ? 'has bytes that are not utf-8. Choose the encoding of the file, or save it as UTF-8.'
        : 'has bytes that are not UTF-8, as the lines before are. Save the file as UTF-8.',
    );
  }
  Object.assign(file, guess(rest));
  yield* other(prepend(rest, more), file.encoding);
}

async function* prepend(first: Buffer, more: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await more.next(); !next.done; next = await more.next()) yield next.value;
}

async function* refuseNul(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) {
    const nul = piece.indexOf('\0');
    if (nul < 0) {
      if (piece !== '') yield piece;
      continue;
    }
    yield piece.slice(0, nul);
    throw new FileProblem('has a NUL character, which no text has. The file is damaged.');
  }
}
