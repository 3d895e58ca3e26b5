import { isAscii } from 'node:buffer';
import { readAhead } from './ahead.ts';
import { detectEncoding, type Encoding, HEAD_BYTES } from './encoding.ts';
import { FileProblem } from './problem.ts';
import { completeEnd, firstBadByte } from './utf8.ts';

export interface DecodedText {
  encoding: Encoding;
  text: AsyncGenerator<string>;
}

/** The text of a file, in whatever encoding its beginning shows. What cannot be text ends the stream with a
 *  FileProblem right after the last good character, so that the reader can name the line. */
export const decodeText = async (bytes: AsyncIterable<Uint8Array>): Promise<DecodedText> => {
  let size = 0;
  const { read, all } = await readAhead(bytes, (chunk) => {
    size += chunk.length;
    return size >= HEAD_BYTES;
  });
  const head = Buffer.concat(read).subarray(0, HEAD_BYTES);
  const { encoding, mark } = detectEncoding(head);
  const chunks = without(mark, all);
  return {
    encoding,
    text: refuseNul(encoding === 'utf-8' ? utf8(chunks, mark > 0) : other(chunks, encoding)),
  };
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
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** UTF-8, unless only ASCII came before the first byte that is not: then nothing has spoken for UTF-8 yet, and the file
 *  is Windows-1252 whose first special letter came late. */
async function* utf8(chunks: AsyncIterable<Buffer>, marked: boolean): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let ascii = !marked;
  let windows: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (windows) {
      yield windows.decode(chunk, { stream: true });
      continue;
    }
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const bad = firstBadByte(bytes);
    const end = bad < 0 ? completeEnd(bytes) : bad;
    const good = bytes.subarray(0, end);
    ascii &&= isAscii(good);
    yield good.toString('utf8');
    rest = bytes.subarray(end);
    if (bad < 0) continue;
    windows = fallBack(ascii);
    yield windows.decode(rest, { stream: true });
  }
  if (!windows && rest.length > 0) yield fallBack(ascii).decode(rest);
}

const fallBack = (ascii: boolean): TextDecoder => {
  if (ascii) return new TextDecoder('windows-1252');
  throw new FileProblem('has bytes that are not UTF-8, as the lines before are. Save the file as UTF-8.');
};

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
