import { isAscii, isUtf8 } from 'node:buffer';
import { type Encoding, guessEncoding } from './guess-encoding.ts';
import { MAX_SAMPLE_BYTES } from './limits.ts';
import { FileProblem } from './problem.ts';

export { type Encoding, encodings } from './guess-encoding.ts';

export const encodingSources = ['detected', 'guessed', 'chosen'] as const;

/** The encoding of a file. It is `guessed` if another encoding fits nearly as well, so that the user should check it. */
export interface FileEncoding {
  encoding: Encoding;
  source: (typeof encodingSources)[number];
}

/** How many bytes of a file are searched for the first that is not ASCII, and how many are examined from there. */
export const HEAD_BYTES = MAX_SAMPLE_BYTES;
const EXAMINED_BYTES = 65_536;

/** Signatures of files that are uploaded as CSV by mistake. */
const MAGIC: [bytes: string, what: string][] = [
  ['\x89PNG', 'is an image'],
  ['\xff\xd8\xff', 'is an image'],
  ['GIF8', 'is an image'],
  ['RIFF', 'is an image or a recording'],
  ['%PDF', 'is a PDF'],
  ['\x1f\x8b', 'is compressed'],
];
/** The signature of an .xls workbook, and of an encrypted .xlsx workbook. */
const OLD_WORKBOOK = '\xd0\xcf\x11\xe0';
const NOT_CSV = 'not a CSV file. Save the table as CSV and send that.';

const BYTE_ORDER_MARKS: [bytes: string, encoding: Encoding][] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];

/** The encoding of a file, from its first HEAD_BYTES. Throws if the file is not text. */
export const detectEncoding = (head: Buffer, chosen?: Encoding | undefined): FileEncoding => {
  const beginning = head.toString('latin1', 0, 8);
  if (beginning.startsWith(OLD_WORKBOOK))
    throw new FileProblem(
      'The file is an old Excel workbook (.xls), or one with a password. Save it as .xlsx without a password, or as CSV, and send that.',
    );
  const magic = MAGIC.find(([bytes]) => beginning.startsWith(bytes));
  if (magic) throw new FileProblem(`The file ${magic[1]}, ${NOT_CSV}`);
  if (chosen) return { encoding: chosen, source: 'chosen' };
  const marked = BYTE_ORDER_MARKS.find(([bytes]) => beginning.startsWith(bytes));
  if (marked) return { encoding: marked[1], source: 'detected' };
  const start = head.subarray(0, EXAMINED_BYTES);
  const utf16 = utf16ByZeros(start);
  if (utf16) return { encoding: utf16, source: 'detected' };
  if (isBinary(start)) throw new FileProblem(`The file has no readable text: it is ${NOT_CSV}`);
  // With the beginning of its word.
  const from = Math.max(head.findIndex((byte) => byte > 127) - 100, 0);
  const examined = head.subarray(from, from + EXAMINED_BYTES);
  const isWhole = examined.length < EXAMINED_BYTES && head.length < HEAD_BYTES;
  // A sample may end within a character. A file whose only such byte is its last one is not UTF-8.
  const complete = examined.subarray(0, completeEnd(examined));
  const isTruncated = complete.length < examined.length;
  const fits = isUtf8(complete) && !(isWhole && isTruncated && isAscii(complete));
  if (fits) return { encoding: 'utf-8', source: 'detected' };
  const { encoding, isSure } = guessEncoding(examined);
  return { encoding, source: isSure ? 'detected' : 'guessed' };
};

/** UTF-16 without a byte order mark: every ASCII character has a zero byte, always on the same side. */
const utf16ByZeros = (head: Buffer): Encoding | undefined => {
  const zeros: [even: number, odd: number] = [0, 0];
  for (let i = head.indexOf(0); i >= 0; i = head.indexOf(0, i + 1)) zeros[i % 2 === 0 ? 0 : 1]++;
  const enough = Math.max(3, head.length / 10);
  if (zeros[1] > enough && zeros[0] < zeros[1] / 10) return 'utf-16le';
  if (zeros[0] > enough && zeros[1] < zeros[0] / 10) return 'utf-16be';
  return undefined;
};

const TEXT_CONTROLS = new Set([9, 10, 11, 12, 13, 27]);

/** A few stray control characters are a damaged line, which the parser reports; many are not text. */
const isBinary = (head: Buffer): boolean => {
  let controls = 0;
  for (const byte of head) if (byte < 32 && !TEXT_CONTROLS.has(byte)) controls++;
  return controls > 3 && controls > head.length / 20;
};

/** Where the last complete UTF-8 character ends; the rest may be the start of one. */
export const completeEnd = (bytes: Buffer): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};
