import { createHash } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillPlain } from './contestants/plain.sqlite.fill.ts';
import { type Filled, fill, type Size } from './fill.ts';
import { printProgress } from './progress.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What determines the contents of a filled database: when it changes, the database is filled again. */
const SHAPING_SOURCES = [
  'src/db/migrations/**/*.ts',
  'src/db/{deferred-writes,counters}.ts',
  'src/db/sqlite/dialect.ts',
  'src/db/sqlite/search/ngram-counts.ts',
  'src/features/contacts/contact.{store,derived,bulk}.ts',
  'src/features/agents/agent.store.ts',
  'src/features/fields/field.values.ts',
  'bench/{fill,people}.ts',
  'bench/contestants/plain.sqlite.fill.ts',
];

const shapeHash = () => {
  const hash = createHash('sha256');
  for (const file of globSync(SHAPING_SOURCES, { cwd: ROOT }).sort())
    hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 12);
};

/** A folder that is created once in the system's temporary folder. It has another name until it is complete, also if a run
 *  was interrupted or two started together. */
const cachedFolder = async (
  name: string,
  make: (folder: string) => void | Promise<void>,
): Promise<string> => {
  const folder = join(tmpdir(), `roster-bench-${shapeHash()}`, name);
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true, mode: 0o700 });
  const temporary = mkdtempSync(`${folder}-`);
  await make(temporary);
  if (existsSync(folder)) rmSync(temporary, { recursive: true });
  else renameSync(temporary, folder);
  return folder;
};

/** Copies a file into the folder of a run, as a clone if the file system supports it. */
const copied = (file: string, into: string, name = basename(file)): string => {
  copyFileSync(file, join(into, name), constants.COPYFILE_FICLONE);
  return join(into, name);
};

const nameOf = ({ contacts, neighbours, hasFields }: Size) =>
  `${contacts}-${neighbours}${hasFields ? '-fields' : ''}`;

/** A filled database in a file that the run may change. */
export type Copy = Filled & { readonly path: string };

/** Roster's database of a size. Filling is slow, so it is done once, and each run works on copies. */
export const filledFile = async (size: Size, into: string, copy = nameOf(size)): Promise<Copy> => {
  const folder = await cachedFolder(nameOf(size), async (temporary) => {
    printProgress(
      `filling ${size.contacts.toLocaleString('en')} contacts next to ${size.neighbours} other workspaces`,
    );
    const filled = await fill({ engine: 'sqlite', path: join(temporary, 'roster.db') }, size);
    writeFileSync(join(temporary, 'filled.json'), JSON.stringify(filled));
  });
  const filled = JSON.parse(readFileSync(join(folder, 'filled.json'), 'utf8')) as Filled;
  return { ...filled, path: copied(join(folder, 'roster.db'), into, `${copy}.db`) };
};

/** The same records for the plain build, in a file that the run may change. */
export const plainFile = async (roster: Copy, into: string): Promise<string> => {
  const folder = await cachedFolder(`${nameOf(roster)}-plain`, (temporary) =>
    fillPlain(roster.path, join(temporary, 'plain.db')),
  );
  return copied(join(folder, 'plain.db'), into);
};
