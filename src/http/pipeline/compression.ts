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

/** The window of a stream: 256 KiB instead of 4 MiB, which a download would occupy until its end. */
const WINDOW_BITS = 18;

/** A page of 100 contacts (41 KB) takes zstd 0.1 ms, Brotli 0.25 ms and gzip 0.3 ms, and becomes 4 to 5 KB. */
const ZSTD = { [constants.ZSTD_c_compressionLevel]: 3 };
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 3 };
const GZIP = { level: 4 };

type Codec = { compress: (body: string | Buffer) => Promise<Buffer>; stream: () => Transform };

/** The preferred one first. Streams flush each chunk, so that the client can read it immediately. */
const codecs: Readonly<Record<Encoding, Codec>> = {
  zstd: {
    compress: (body) => promisify(zstdCompress)(body, { params: ZSTD }),
    stream: () =>
      createZstdCompress({
        params: { ...ZSTD, [constants.ZSTD_c_windowLog]: WINDOW_BITS },
        flush: constants.ZSTD_e_flush,
      }),
  },
  br: {
    compress: (body) => promisify(brotliCompress)(body, { params: BROTLI }),
    stream: () =>
      createBrotliCompress({
        params: { ...BROTLI, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS },
        flush: constants.BROTLI_OPERATION_FLUSH,
      }),
  },
  gzip: {
    compress: (body) => promisify(gzip)(body, GZIP),
    stream: () => createGzip({ ...GZIP, flush: constants.Z_SYNC_FLUSH }),
  },
};
export const ENCODINGS = Object.keys(codecs) as readonly Encoding[];

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
    return this.#running.run(() => codecs[encoding].compress(body));
  }

  /** Undefined if too many streams are being compressed. Reads one chunk ahead. Ending the iteration ends the source. */
  compressStream(
    chunks: AsyncIterable<string | Buffer>,
    encoding: Encoding,
  ): AsyncIterable<Buffer> | undefined {
    if (this.#streams >= MAX_STREAMS) return undefined;
    this.#streams++;
    const transform = codecs[encoding].stream();
    // The reader of the transform gets an error of the source.
    pipeline(Readable.from(chunks, { highWaterMark: 1 }), transform, () => this.#streams--);
    return transform;
  }

  /** The response with a compressed body, unless too many are being compressed. The body of HEAD is not produced. */
  async encode(result: HttpResponse, encoding: Encoding, isHead: boolean): Promise<HttpResponse> {
    const { body } = result;
    const stream = () => (isHead ? body : this.compressStream(body as AsyncIterable<string>, encoding));
    const compressed = isWhole(body) ? await this.compress(body, encoding) : stream();
    return compressed ? encoded(result, encoding, compressed) : result;
  }
}

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
const encoded = (result: HttpResponse, encoding: Encoding, body: HttpResponse['body']): HttpResponse => {
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
