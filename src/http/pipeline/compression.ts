import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import { Semaphore } from '../../lib/concurrency.ts';
import { etagOfEncoding } from '../../lib/etag.ts';
import { COMPRESS_ABOVE, type Encoding, forbidsIdentity, preferredEncoding } from './content-encoding.ts';
import { hasChosenEncoding, isEventStream, isWhole } from './response.ts';
import type { HttpResponse } from './route.ts';

/** A page of 100 contacts (41 KB) takes zstd 0.1 ms, Brotli 0.25 ms and gzip 0.3 ms, and becomes 4 to 5 KB. */
const FAST = { zstd: 3, br: 3, gzip: 4 };
/** For bodies that are compressed once: 20 ms for 500 KB. */
const SMALL = { zstd: 9, br: 9, gzip: 9 };

/** The preferred one first. */
export const ENCODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip'];

const zstdOptions = (level: number) => ({ params: { [constants.ZSTD_c_compressionLevel]: level } });
const brotliOptions = (level: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });

const compressors = {
  zstd: promisify(zstdCompress),
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
};

const compressWith = (body: Buffer, encoding: Encoding, levels: typeof FAST): Promise<Buffer> => {
  if (encoding === 'gzip') return compressors.gzip(body, { level: levels.gzip });
  if (encoding === 'br') return compressors.br(body, brotliOptions(levels.br));
  return compressors.zstd(body, zstdOptions(levels.zstd));
};

/** Compresses a body that is sent many times. */
export const compressOnce = (body: Buffer, encoding: Encoding): Promise<Buffer> =>
  compressWith(body, encoding, SMALL);

/** Compression uses libuv's threads, which passwords and files need, too. */
const MAX_RUNNING = 2;
const MAX_WAITING = 64;
const MAX_STREAMS = 8;

/** Compresses bodies off the event loop, with a limit on the work in progress. Above the limit a body is sent as it is. */
export class Compression {
  readonly #running = new Semaphore(MAX_RUNNING);
  #streams = 0;

  /** Undefined if too many bodies are waiting. */
  async compress(body: string | Buffer, encoding: Encoding): Promise<Buffer | undefined> {
    if (this.#running.waiting >= MAX_WAITING) return undefined;
    return this.#running.run(() =>
      compressWith(typeof body === 'string' ? Buffer.from(body) : body, encoding, FAST),
    );
  }

  /** Undefined if too many streams are being compressed. */
  compressStream(
    chunks: AsyncIterable<string | Buffer>,
    encoding: Encoding,
  ): AsyncIterable<Buffer> | undefined {
    if (this.#streams >= MAX_STREAMS) return undefined;
    this.#streams++;
    return compressChunks(chunks, encoding, () => this.#streams--);
  }
}

/** The window of a stream: 256 KiB instead of 4 MiB, which a download would occupy until its end. */
const WINDOW_BITS = 18;

const transformOf = (encoding: Encoding): Transform => {
  if (encoding === 'gzip') return createGzip({ level: FAST.gzip });
  const params =
    encoding === 'br'
      ? { ...brotliOptions(FAST.br).params, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS }
      : { ...zstdOptions(FAST.zstd).params, [constants.ZSTD_c_windowLog]: WINDOW_BITS };
  return encoding === 'br' ? createBrotliCompress({ params }) : createZstdCompress({ params });
};

/** Reads one chunk ahead. Ending the iteration ends the source. */
const compressChunks = (
  chunks: AsyncIterable<string | Buffer>,
  encoding: Encoding,
  onEnd: () => void,
): AsyncIterable<Buffer> => {
  const transform = transformOf(encoding);
  // The reader of the transform gets an error of the source.
  pipeline(Readable.from(chunks, { highWaterMark: 1 }), transform, onEnd);
  return transform;
};

const isLarge = (body: string | Buffer): boolean =>
  // A UTF-16 code unit takes at most three bytes.
  body.length * 3 > COMPRESS_ABOVE && Buffer.byteLength(body) > COMPRESS_ABOVE;

/** The encoding to send a response in; undefined to send it as it is. A small body is compressed only for a client that
 *  refuses any other. */
export const encodingFor = (accepted: string | undefined, result: HttpResponse): Encoding | undefined => {
  if (accepted === undefined || result.status === 304 || hasChosenEncoding(result)) return undefined;
  const { body, type } = result;
  const isWanted = isWhole(body)
    ? isLarge(body) || (body.length > 0 && forbidsIdentity(accepted))
    : !isEventStream(type);
  return isWanted ? preferredEncoding(accepted, ENCODINGS) : undefined;
};

/** The response with a compressed body. A strong ETag must differ between encodings. */
export const encoded = (
  result: HttpResponse,
  encoding: Encoding,
  body: HttpResponse['body'],
): HttpResponse => {
  const { headers } = result;
  const etag = headers?.ETag;
  return {
    ...result,
    body,
    headers: {
      ...headers,
      ...(typeof etag === 'string' && { ETag: etagOfEncoding(etag, encoding) }),
      'Content-Encoding': encoding,
      Vary: 'Accept-Encoding',
    },
  };
};
