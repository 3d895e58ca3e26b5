import { onInterrupt } from '../lib/interrupt.ts';
import type { S3Settings } from './config.ts';
import { BackupError, type ObjectStore, type StoredObject } from './object-store.ts';
import { elementText, S3Client, S3Error } from './s3-client.ts';

const MIB = 1_048_576;
/** The memory that an upload needs. A multipart upload has at most 10,000 parts; some stores want all parts of equal size, so
 *  that larger objects need larger parts from the beginning. */
const PART_BYTES = 16 * MIB;
const PLANNED_PARTS = 9_000;

export const partSize = (maxBytes: number): number =>
  Math.max(PART_BYTES, Math.ceil(maxBytes / PLANNED_PARTS / MIB) * MIB);

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

interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

const uploadParts = async (client: S3Client, upload: Upload, parts: AsyncIterable<Uint8Array>) => {
  const etags: string[] = [];
  let bytes = 0;
  for await (const body of parts) {
    const query = { partNumber: `${etags.length + 1}`, uploadId: upload.uploadId };
    const { headers } = await client.text({ method: 'PUT', key: upload.key, query, body });
    etags.push(headers.get('etag') ?? '');
    bytes += body.length;
  }
  return { etags, bytes };
};

const complete = async (client: S3Client, { key, uploadId }: Upload, etags: readonly string[]) => {
  const parts = etags.map(
    (etag, at) =>
      `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag.replaceAll('"', '&quot;')}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  // A first attempt whose answer was lost may have completed it. The size shows whether it has.
  await client.text({ method: 'POST', key, query: { uploadId }, body }).catch(ignoring('NoSuchUpload'));
};

/** The store has compared each part with its checksums. */
const assertComplete = async (client: S3Client, key: string, bytes: number): Promise<void> => {
  const { headers } = await client.text({ method: 'HEAD', key });
  const stored = Number(headers.get('content-length'));
  if (stored !== bytes) throw new BackupError(`The store has ${stored} bytes of ${key} instead of ${bytes}.`);
};

const ignoring = (code: string) => (error: unknown) => {
  if (!(error instanceof S3Error && error.code === code)) throw error;
};

async function* download(client: S3Client, key: string, name: string): AsyncGenerator<Uint8Array> {
  const response = await client.stream({ method: 'GET', key });
  try {
    yield* response.body ?? [];
  } catch (error) {
    throw new BackupError(`The download of ${name} was interrupted. Run the command again.`, {
      cause: error,
    });
  }
}

export const openBucket = (
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  settings: S3Settings,
  /** How many objects a list asks for in one request. */
  { pageSize = 1_000 } = {},
): ObjectStore => {
  const client = new S3Client(bucket, settings);
  return {
    verifiesWrites: true,
    list: async () => {
      const objects: StoredObject[] = [];
      const query = { 'list-type': '2', prefix, delimiter: '/', 'max-keys': `${pageSize}` };
      for (let next: object | undefined = {}; next; ) {
        const { text } = await client.text({ method: 'GET', query: { ...query, ...next } });
        for (const entry of text.split('<Contents>').slice(1)) {
          const key = elementText(entry, 'Key') ?? '';
          const name = key.slice(key.lastIndexOf('/') + 1);
          objects.push({ name, bytes: Number(elementText(entry, 'Size')) });
        }
        const isTruncated = elementText(text, 'IsTruncated') === 'true';
        next = isTruncated ? { 'continuation-token': elementText(text, 'NextContinuationToken') } : undefined;
      }
      return objects;
    },
    /** A multipart upload appears only when it is completed. A failed one is aborted, so that its parts cost nothing. */
    write: async (name, content, maxBytes) => {
      const key = prefix + name;
      const created = await client.text({ method: 'POST', key, query: { uploads: '' } });
      const uploadId = elementText(created.text, 'UploadId');
      if (!uploadId) throw new BackupError('The store did not start a multipart upload.');
      const abort = async () => {
        await client.text({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
      };
      const release = onInterrupt(abort);
      try {
        const parts = await uploadParts(client, { key, uploadId }, inParts(content, partSize(maxBytes)));
        await complete(client, { key, uploadId }, parts.etags);
        await assertComplete(client, key, parts.bytes);
      } catch (error) {
        await abort();
        throw error;
      } finally {
        release();
      }
    },
    read: (name) => download(client, prefix + name, name),
    remove: async (name) => {
      await client.text({ method: 'DELETE', key: prefix + name }).catch(ignoring('NoSuchKey'));
    },
  };
};
