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

/** How a file can lie beside itself once more, in the order in which it is wanted. */
const CODINGS = { '.br': 'br', '.gz': 'gzip' };

/** One form in which a file can be sent. */
interface Variant {
  readonly coding: string | undefined;
  readonly body: Buffer;
  readonly etag: string;
}

export interface StaticFile {
  readonly type: string;
  /** The uncompressed form comes last and suits every client. */
  readonly variants: readonly Variant[];
}

/** Whether a header names a word among what is accepted, with any weight but none. */
export const accepts = (header: string | string[] | undefined, word: string): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, ...rest]) => name === word && !rest.some((each) => /^q=0(?:\.0*)?$/.test(each)));

const variantOf = (body: Buffer, coding?: string): Variant => ({
  coding,
  body,
  etag: `"${shortHash(body.toString('latin1'))}"`,
});

export const staticFile = (type: string, text: string): StaticFile => ({
  type,
  variants: [variantOf(Buffer.from(text))],
});

const readFile = (path: string): StaticFile => {
  const packed = Object.entries(CODINGS)
    .filter(([suffix]) => existsSync(path + suffix))
    .map(([suffix, coding]) => variantOf(readFileSync(path + suffix), coding));
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { type, variants: [...packed, variantOf(readFileSync(path))] };
};

/** The files of a folder by their paths, read at start: they are few, and no requested path ever reaches the disk. Hidden
 *  files and links are left out. Empty where there is no folder. */
export const readFolder = (folder: string): Map<string, StaticFile> => {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !(extname(entry.name) in CODINGS))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(
    paths
      .map((path) => [`/${path.split(sep).join('/')}`, join(folder, path)] as const)
      .filter(([address]) => !address.includes('/.'))
      .map(([address, path]) => [address, readFile(path)]),
  );
};

/** Answers a file in the first of its forms that the caller takes, or 304 to one who has it. */
export const fileRoute = (
  { type, variants }: StaticFile,
  headers: Readonly<Record<string, string>>,
): AnyRoute =>
  route({
    access: 'open',
    handle: (request): HttpResponse => {
      const accepted = request.headers['accept-encoding'];
      const { coding, body, etag } = variants.find(
        (each) => each.coding === undefined || accepts(accepted, each.coding),
      ) as Variant;
      const told = { ...headers, ETag: etag };
      if (matchesIfNoneMatch(request.headers, etag)) return { status: 304, body: '', headers: told };
      return { status: 200, body, type, headers: coding ? { ...told, 'Content-Encoding': coding } : told };
    },
  });
