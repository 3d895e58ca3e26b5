import { isUtf8 } from 'node:buffer';
import { readAhead } from './ahead.ts';
import { completeEnd, detectEncoding, type Encoding, HEAD_BYTES } from './encoding.ts';
import { FileProblem } from './problem.ts';

/** Decodes a file in the chosen encoding or the one that its first bytes suggest. Invalid bytes throw a FileProblem right
 *  after the last good character, so that the reader can name the line. */
export const decodeText = async (bytes: AsyncIterable<Uint8Array>, chosen?: Encoding | undefined) => {
  const { read, all } = await readAhead(bytes, HEAD_BYTES);
  const head = Buffer.concat(read).subarray(0, HEAD_BYTES);
  const file = detectEncoding(head, chosen);
  const { encoding } = file;
  const text = encoding === 'utf-8' ? decodeUtf8(all) : decodeWith(all, encoding);
  return { file, text: readable(text, encoding) };
};

async function* decodeWith(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    const complete = bytes.subarray(0, completeEnd(bytes));
    const text = complete.toString();
    if (!isUtf8(complete)) {
      // Decoding replaces invalid bytes.
      const decoded = Buffer.from(text);
      const bad = complete.findIndex((byte, at) => byte !== decoded[at]);
      yield complete.toString('utf8', 0, completeEnd(complete.subarray(0, bad)));
      throw notIn('utf-8');
    }
    yield text;
    rest = bytes.subarray(complete.length);
  }
  if (rest.length > 0) throw notIn('utf-8');
}

const notIn = (encoding: string) =>
  new FileProblem(
    `has bytes that are not ${encoding}. Choose the encoding of the file, or save it as UTF-8.`,
  );
const hasNul = () => new FileProblem('has a NUL character. The file is damaged or is not a text file.');

/** The text without a byte order mark. Throws at the first NUL character, and at the first that could not be decoded. */
async function* readable(text: AsyncIterable<string>, encoding: Encoding): AsyncGenerator<string> {
  const isUnicode = encoding.startsWith('utf-');
  const bad = isUnicode ? /\0/ : /[\0\ufffd]/;
  let isStart = isUnicode;
  for await (const chunk of text) {
    if (chunk === '') continue;
    const clean = isStart && chunk.startsWith('\ufeff') ? chunk.slice(1) : chunk;
    isStart = false;
    const at = clean.search(bad);
    yield at < 0 ? clean : clean.slice(0, at);
    if (at >= 0) throw clean[at] === '\0' ? hasNul() : notIn(encoding);
  }
}
