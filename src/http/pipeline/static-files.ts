import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { shortHash } from '../../lib/etag.ts';
import { matchesIfNoneMatch } from './preconditions.ts';
import { type AnyRoute, type HttpResponse, route } from './route.ts';

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
const ENCODINGS = { '.br': 'br', '.gz': 'gzip' };

interface Variant {
  readonly encoding: string | undefined;
  readonly body: Buffer;
  readonly etag: string;
}

export interface StaticFile {
  readonly type: string;
  /** The uncompressed variant is last and suits every client. */
  readonly variants: readonly Variant[];
}

/** Whether an Accept or Accept-Encoding header lists a value with a weight above 0. */
export const accepts = (header: string | string[] | undefined, value: string): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((token) => token.trim()))
    .some(([name, ...rest]) => name === value && !rest.some((each) => /^q=0(?:\.0*)?$/.test(each)));

const variantOf = (body: Buffer, encoding?: string): Variant => ({
  encoding,
  body,
  etag: `"${shortHash(body.toString('latin1'))}"`,
});

export const staticFile = (type: string, text: string): StaticFile => ({
  type,
  variants: [variantOf(Buffer.from(text))],
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

/** Combines each file with its compressed forms. All are in memory: they are few, and no requested path reaches the disk.
 *  */
export const staticFiles = (files: ReadonlyMap<string, Buffer>): Map<string, StaticFile> =>
  new Map(
    [...files]
      .filter(([url]) => !(extname(url) in ENCODINGS))
      .map(([url, body]) => {
        const compressed = Object.entries(ENCODINGS).flatMap(([suffix, encoding]) => {
          const packed = files.get(url + suffix);
          return packed ? [variantOf(packed, encoding)] : [];
        });
        const type = TYPES[extname(url)] ?? 'application/octet-stream';
        return [url, { type, variants: [...compressed, variantOf(body)] }];
      }),
  );

/** Sends the first variant that the client accepts, or 304 if the client already has it. */
export const fileRoute = (
  { type, variants }: StaticFile,
  headers: Readonly<Record<string, string>>,
): AnyRoute =>
  route({
    access: 'open',
    handle: (request): HttpResponse => {
      const accepted = request.headers['accept-encoding'];
      const { encoding, body, etag } = variants.find(
        (each) => each.encoding === undefined || accepts(accepted, each.encoding),
      ) as Variant;
      const sent = { ...headers, ETag: etag };
      if (matchesIfNoneMatch(request.headers, etag)) return { status: 304, body: '', headers: sent };
      return {
        status: 200,
        body,
        type,
        headers: encoding ? { ...sent, 'Content-Encoding': encoding } : sent,
      };
    },
  });
