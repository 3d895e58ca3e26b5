import { crc32, createInflateRaw } from 'node:zlib';
import { FileProblem } from '../csv/problem.ts';
import { damaged, tooLarge, workbookLimits } from './limits.ts';

interface Entry {
  method: number;
  isEncrypted: boolean;
  crc: number;
  size: number;
  /** The position of its local header. */
  offset: number;
}

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_COMMENT_BYTES = 65_535;
/** Marks a value that is in the ZIP64 field. */
const IN_ZIP64_FIELD = 0xffffffff;
const ZIP64_FIELD = 1;
const STORED = 0;
const DEFLATED = 8;

const normalized = (name: string): string => name.replaceAll('\\', '/').toLowerCase();

/** The parts of a ZIP archive, each unpacked as a stream. They share one limit for unpacked bytes, which counts the actual
 *  output and does not trust the sizes in the archive. */
export class Archive {
  readonly #bytes: Buffer;
  readonly #entries: Map<string, Entry>;
  #unpacked = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    try {
      this.#entries = readDirectory(bytes);
    } catch (error) {
      throw error instanceof RangeError ? damaged() : error;
    }
  }

  has(name: string): boolean {
    return this.#entries.has(normalized(name));
  }

  /** The unpacked bytes of a part; throws if they exceed `maxBytes`. */
  async *read(name: string, maxBytes: number = workbookLimits.unpacked): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(normalized(name));
    if (!entry) throw damaged();
    if (entry.isEncrypted)
      throw new FileProblem(
        'The workbook is protected by a password. Save it without one and send it again.',
      );
    let size = 0;
    let crc = 0;
    for await (const chunk of this.#chunks(entry)) {
      size += chunk.length;
      this.#unpacked += chunk.length;
      if (this.#unpacked > workbookLimits.unpacked)
        throw tooLarge('The workbook unpacks to more than', workbookLimits.unpacked);
      if (size > maxBytes) throw tooLarge(`${name} in the workbook unpacks to more than`, maxBytes);
      crc = crc32(chunk, crc);
      yield chunk;
    }
    if (crc !== entry.crc) throw damaged();
  }

  async *#chunks({ method, offset, size }: Entry): AsyncGenerator<Buffer> {
    const bytes = this.#bytes;
    if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw damaged();
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const data = bytes.subarray(start, start + size);
    if (data.length < size) throw damaged();
    if (method === STORED) return yield data;
    if (method !== DEFLATED) throw damaged();
    const inflate = createInflateRaw({ chunkSize: 65_536 });
    inflate.end(data);
    try {
      yield* inflate;
    } catch {
      throw damaged();
    } finally {
      inflate.destroy();
    }
  }
}

/** Throws a RangeError if the archive points outside of itself. */
const readDirectory = (bytes: Buffer): Map<string, Entry> => {
  const end = findEnd(bytes);
  let at = bytes.readUInt32LE(end + 16);
  if (at === IN_ZIP64_FIELD) {
    if (bytes.readUInt32LE(end - 20) !== END_64_LOCATOR) throw damaged();
    const end64 = Number(bytes.readBigUInt64LE(end - 12));
    if (bytes.readUInt32LE(end64) !== END_64) throw damaged();
    at = Number(bytes.readBigUInt64LE(end64 + 48));
  }
  const entries = new Map<string, Entry>();
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === ENTRY) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
    const [size, offset] = locationOf(bytes, at, nameEnd, extraEnd);
    entries.set(normalized(bytes.toString('utf8', at + 46, nameEnd)), {
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      size,
      offset,
    });
    if (entries.size > workbookLimits.files) throw damaged();
    at = extraEnd + bytes.readUInt16LE(at + 32);
  }
  return entries;
};

const findEnd = (bytes: Buffer): number => {
  const last = bytes.length - 22;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
    if (bytes.readUInt32LE(at) === END) return at;
  }
  throw damaged();
};

/** The packed size and the offset of an entry, which may be in a ZIP64 field. */
const locationOf = (
  bytes: Buffer,
  entry: number,
  extra: number,
  extraEnd: number,
): [size: number, offset: number] => {
  const values = [24, 20, 42].map((field) => bytes.readUInt32LE(entry + field));
  for (let at = extra; at + 4 <= extraEnd; at += 4 + bytes.readUInt16LE(at + 2)) {
    if (bytes.readUInt16LE(at) !== ZIP64_FIELD) continue;
    let from = at + 4;
    for (const [index, value] of values.entries()) {
      if (value !== IN_ZIP64_FIELD) continue;
      values[index] = Number(bytes.readBigUInt64LE(from));
      from += 8;
    }
  }
  return [values[1] ?? 0, values[2] ?? 0];
};
