import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ObjectStore, OnInterrupt, S3Settings, StoredObject } from './object-store.ts';
import { BackupError } from './object-store.ts';
import { elementText, retryDelay, S3Client, S3Error } from './s3-client.ts';

const MIB = 1_048_576;
/** The memory that an upload needs. A multipart upload has at most 10,000 parts; some stores want all parts of equal size, so
 *  that larger objects need larger parts from the beginning. */
const PART_BYTES = 16 * MIB;
const PLANNED_PARTS = 9_000;

export const partSize = (maxBytes: number): number =>
  Math.max(PART_BYTES, Math.ceil(maxBytes / PLANNED_PARTS / MIB) * MIB);

/** How often a download continues after a broken connection without having received anything. */
const RESUMPTIONS = 5;

/** Collects chunks into parts of equal size; only the last is smaller. The part is overwritten after each step. */
async function* inParts(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  const part = Buffer.allocUnsafe(size);
  let used = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, size - used);
      part.set(chunk.subarray(at, at + taken), used);
      at += taken;
      used += taken;
      if (used < size) continue;
      yield part;
      used = 0;
    }
  }
  if (used > 0) yield part.subarray(0, used);
}

const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest();

interface BucketOptions {
  readonly onInterrupt?: OnInterrupt;
  /** How many objects to ask for in one request. */
  readonly pageSize?: number;
}

class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #onInterrupt: OnInterrupt;
  readonly #pageSize: number;

  constructor(client: S3Client, prefix: string, { onInterrupt, pageSize }: Required<BucketOptions>) {
    this.#client = client;
    this.#prefix = prefix;
    this.#onInterrupt = onInterrupt;
    this.#pageSize = pageSize;
  }

  async list(): Promise<StoredObject[]> {
    const objects: StoredObject[] = [];
    let token: string | undefined;
    do {
      const { text } = await this.#client.text({
        method: 'GET',
        query: {
          'list-type': '2',
          prefix: this.#prefix,
          delimiter: '/',
          'max-keys': `${this.#pageSize}`,
          ...(token !== undefined && { 'continuation-token': token }),
        },
      });
      for (const entry of text.split('<Contents>').slice(1)) {
        const key = elementText(entry, 'Key') ?? '';
        objects.push({
          name: key.slice(key.lastIndexOf('/') + 1),
          bytes: Number(elementText(entry, 'Size')),
        });
      }
      token =
        elementText(text, 'IsTruncated') === 'true' ? elementText(text, 'NextContinuationToken') : undefined;
    } while (token !== undefined);
    return objects;
  }

  /** A multipart upload appears only when it is completed. A failed one is aborted, so that its parts cost nothing. */
  async write(name: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<boolean> {
    const key = this.#prefix + name;
    const created = await this.#client.text({ method: 'POST', key, query: { uploads: '' } });
    const uploadId = elementText(created.text, 'UploadId');
    if (!uploadId) throw new BackupError('The store did not start a multipart upload.');
    const abort = () =>
      this.#client.text({ method: 'DELETE', key, query: { uploadId } }).then(
        () => {},
        () => {},
      );
    const release = this.#onInterrupt(abort);
    try {
      const parts = await this.#uploadParts(key, uploadId, content, partSize(maxBytes));
      await this.#complete(key, uploadId, parts.etags);
      return await this.#isProven(key, parts);
    } catch (error) {
      await abort();
      throw error;
    } finally {
      release();
    }
  }

  async #uploadParts(key: string, uploadId: string, content: AsyncIterable<Uint8Array>, size: number) {
    const etags: string[] = [];
    const digests = createHash('md5');
    let bytes = 0;
    for await (const body of inParts(content, size)) {
      const query = { partNumber: `${etags.length + 1}`, uploadId };
      const { headers } = await this.#client.text({ method: 'PUT', key, query, body });
      etags.push(headers.get('etag') ?? '');
      digests.update(md5(body));
      bytes += body.length;
    }
    return { etags, bytes, etag: `"${digests.digest('hex')}-${etags.length}"` };
  }

  async #complete(key: string, uploadId: string, etags: readonly string[]): Promise<void> {
    const parts = etags.map(
      (etag, at) =>
        `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    try {
      await this.#client.text({ method: 'POST', key, query: { uploadId }, body });
    } catch (error) {
      // A first attempt whose answer was lost may have completed it. The size shows whether it has.
      if (!(error instanceof S3Error && error.code === 'NoSuchUpload')) throw error;
    }
  }

  /** The ETag of an object is made of the MD5 sums of its parts, except on some stores and with some kinds of encryption. */
  async #isProven(key: string, { bytes, etag }: { bytes: number; etag: string }): Promise<boolean> {
    const { headers } = await this.#client.text({ method: 'HEAD', key });
    const stored = Number(headers.get('content-length'));
    if (stored !== bytes)
      throw new BackupError(`The store has ${stored} bytes of ${key} instead of ${bytes}.`);
    return headers.get('etag') === etag;
  }

  /** Continues where a broken connection has ended. */
  async *read(name: string): AsyncIterable<Uint8Array> {
    const key = this.#prefix + name;
    let at = 0;
    let total: number | undefined;
    let etag: string | undefined;
    for (let failures = 0; total === undefined || at < total; ) {
      const resumed = { range: `bytes=${at}-`, ...(etag !== undefined && { 'if-match': etag }) };
      const response = await this.#client.stream({ method: 'GET', key, ...(at > 0 && { headers: resumed }) });
      total ??= Number(response.headers.get('content-length'));
      etag ??= response.headers.get('etag') ?? undefined;
      if (at > 0 && response.status !== 206) throw new BackupError('The store does not support ranges.');
      try {
        for await (const chunk of response.body ?? []) {
          at += chunk.length;
          failures = 0;
          yield chunk;
        }
      } catch (error) {
        if (++failures > RESUMPTIONS)
          throw new BackupError(`The download of ${name} was interrupted at ${at} bytes.`, { cause: error });
        await pause(retryDelay(failures));
        continue;
      }
      if (at < total) throw new BackupError(`The store sent ${at} bytes of ${name} instead of ${total}.`);
    }
  }

  async remove(name: string): Promise<void> {
    await this.#client.text({ method: 'DELETE', key: this.#prefix + name }).catch((error) => {
      if (!(error instanceof S3Error && error.code === 'NoSuchKey')) throw error;
    });
  }
}

export const openBucket = (
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  settings: S3Settings,
  { onInterrupt = () => () => {}, pageSize = 1_000 }: BucketOptions = {},
): ObjectStore => new S3Store(new S3Client(bucket, settings), prefix, { onInterrupt, pageSize });
