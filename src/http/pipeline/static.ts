import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { shortHash } from '../../lib/etag.ts';
import { isKnown } from './preconditions.ts';
import { type Answer, type AnyRoute, route } from './route.ts';

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
interface Form {
  readonly coding: string | undefined;
  readonly body: Buffer;
  readonly etag: string;
}

export interface File {
  readonly type: string;
  /** The plain form stands last and fits everybody. */
  readonly forms: readonly Form[];
}

/** Whether a header names a word among what is accepted, with any weight but none. */
export const accepts = (header: string | string[] | undefined, word: string): boolean =>
  String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .some(([name, ...rest]) => name === word && !rest.some((each) => /^q=0(?:\.0*)?$/.test(each)));

const formOf = (body: Buffer, coding?: string): Form => ({
  coding,
  body,
  etag: `"${shortHash(body.toString('latin1'))}"`,
});

export const fileOf = (type: string, text: string): File => ({ type, forms: [formOf(Buffer.from(text))] });

const readFile = (path: string): File => {
  const packed = Object.entries(CODINGS)
    .filter(([suffix]) => existsSync(path + suffix))
    .map(([suffix, coding]) => formOf(readFileSync(path + suffix), coding));
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { type, forms: [...packed, formOf(readFileSync(path))] };
};

/** The files of a folder by their addresses, read at once: they are few, and no path that is asked for ever reaches the
 *  disk. Hidden ones and links are left out. Empty where there is no folder. */
export const readFolder = (folder: string): Map<string, File> => {
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
export const fileRoute = ({ type, forms }: File, headers: Readonly<Record<string, string>>): AnyRoute =>
  route({
    access: 'open',
    handle: (call): Answer => {
      const accepted = call.headers['accept-encoding'];
      const { coding, body, etag } = forms.find(
        (each) => each.coding === undefined || accepts(accepted, each.coding),
      ) as Form;
      const told = { ...headers, ETag: etag };
      if (isKnown(call.headers, etag)) return { status: 304, body: '', headers: told };
      return { status: 200, body, type, headers: coding ? { ...told, 'Content-Encoding': coding } : told };
    },
  });
