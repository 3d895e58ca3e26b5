import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gunzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { etagOfEncoding, shortHash } from '../../lib/etag.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { type Encoding, preferredEncoding } from './content-encoding.ts';
import { currentEtag } from './preconditions.ts';
import { type AnyRoute, type HttpResponse, open, route } from './route.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** Suffixes of precompressed files, the preferred encoding first. */
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' } as const;

interface Variant {
  readonly encoding: Encoding | undefined;
  readonly body: Buffer;
  readonly etag: string;
}

export interface StaticFile {
  readonly type: string;
  /** The preferred one first. The plain variant of a large file is missing. */
  readonly variants: readonly Variant[];
}

/** Whether an Accept header lists a value with a weight above 0. */
export const accepts = (header: string | string[] | undefined, value: string): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((token) => token.trim()))
    .some(([name, ...rest]) => name === value && !rest.some((each) => /^q=0(?:\.0*)?$/.test(each)));

const variantOf = (body: Buffer, encoding?: Encoding): Variant => ({
  encoding,
  body,
  etag: `"${shortHash(body.toString('latin1'))}"`,
});

/** A generated text, compressed once for all clients. */
export const staticFile = (type: string, text: string): StaticFile => ({
  type,
  variants: [
    variantOf(zstdCompressSync(text), 'zstd'),
    variantOf(brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }), 'br'),
    variantOf(gzipSync(text), 'gzip'),
    variantOf(Buffer.from(text)),
  ],
});

/** The files of a folder by path. Hidden files and links are left out. */
export const readFolder = (folder: string): Map<string, Buffer> => {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths
      .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path] as const)
      .filter(([url]) => !url.includes('/.'))
      .map(([url, path]) => [url, readFileSync(path)]),
  );
};

/** The file at a path, with its compressed forms. All files are in memory: they are few, and no requested path reaches the disk. */
export const findFile = (files: ReadonlyMap<string, Buffer>, path: string): StaticFile | undefined => {
  if (extname(path) in ENCODINGS) return undefined;
  const compressed = Object.entries(ENCODINGS).flatMap(([suffix, encoding]) => {
    const packed = files.get(path + suffix);
    return packed ? [variantOf(packed, encoding)] : [];
  });
  const plain = files.get(path);
  const variants = plain ? [...compressed, variantOf(plain)] : compressed;
  if (variants.length === 0) return undefined;
  return { type: TYPES[extname(path)] ?? 'application/octet-stream', variants };
};

/** Decompresses for a client that accepts no compressed variant. */
const plainOf = async (variants: readonly Variant[]): Promise<Variant> => {
  const { body, etag } = variants.find(({ encoding }) => encoding === 'gzip') as Variant;
  return { encoding: undefined, body: await promisify(gunzip)(body), etag: etagOfEncoding(etag, 'plain') };
};

/** Sends the variant that the client prefers, or 304 if the client already has it. The file is loaded when the first client requests
 *  it. */
export const fileRoute = (
  load: () => StaticFile,
  headers: Readonly<Record<string, string>> & { readonly Vary: string },
): AnyRoute => {
  let file: StaticFile | undefined;
  return route({
    access: open,
    handle: (request) => {
      file ??= load();
      const { type, variants } = file;
      const available = variants.flatMap(({ encoding }) => encoding ?? []);
      const preferred = preferredEncoding(request.headers['accept-encoding'], available);
      const variant = variants.find((each) => each.encoding === preferred) ?? plainOf(variants);
      return chain(variant, ({ encoding, body, etag }): HttpResponse => {
        const current = currentEtag(request.headers, etag);
        if (current) return { status: 304, body: '', headers: { ...headers, ETag: current } };
        const encoded = encoding && { 'Content-Encoding': encoding };
        return { status: 200, body, type, headers: { ...headers, ETag: etag, ...encoded } };
      });
    },
  });
};
