import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealer, type Sealer } from '../kernel/seal.ts';
import { statementsOver } from '../storage/statement.ts';
import type { Db, Storage } from '../storage/storage.ts';

const statement = statementsOver<{ seal_checks: { name: string; sealed: string } }>();

const insertCheck = statement((query, { name, sealed }: { name: string; sealed: string }) =>
  query
    .insertInto('seal_checks')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing()),
);
const findCheck = statement((query, { name }: { name: string }) =>
  query.selectFrom('seal_checks').select('sealed').where('name', '=', name),
);

const fileIn = (folder: string): string => join(folder, 'secret.key');

const readKey = (path: string): Buffer => {
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} does not hold a key of ${KEY_BYTES} bytes in base64.`);
  return key;
};

/** The key of the data folder, made when it is first asked for. It appears whole: of two that make it at once, one wins. */
const keyOfFolder = (folder: string): Buffer => {
  const path = fileIn(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  return readKey(path);
};

const KEY_BYTES = 32;
const NAME = 'key';
const KNOWN = 'roster';

/** Keeps the given check unless there is one already, and gives the one that is kept. */
export const keepSealCheck = async (db: Db, _: null, { sealed }: { sealed: string }): Promise<string> => {
  await db.run(insertCheck, { name: NAME, sealed });
  return (await db.get(findCheck, { name: NAME }))?.sealed ?? '';
};

const opens = (sealer: Sealer, kept: string): boolean => {
  try {
    return sealer.open(kept, NAME) === KNOWN;
  } catch {
    return false;
  }
};

/** The key that a service would start with, for a look: none is made. */
export const sealingKey = (configured: Buffer | undefined, folder: string) => {
  const path = fileIn(folder);
  return {
    /** Where it is configured. */
    name: configured ? 'ROSTER_SECRET_KEY' : path,
    opens: (kept: string): boolean =>
      (configured !== undefined || existsSync(path)) &&
      opens(createSealer(configured ?? readKey(path)), kept),
  };
};

/** What seals the secrets of this database. Refuses a key that is not the one they were sealed with. */
export const openSealer = async (
  storage: Storage,
  configured: Buffer | undefined,
  folder: string,
): Promise<Sealer> => {
  const sealer = createSealer(configured ?? keyOfFolder(folder));
  const kept = await storage.write(keepSealCheck, null, { sealed: sealer.seal(KNOWN, NAME) });
  if (opens(sealer, kept)) return sealer;
  throw new Error(
    'the secrets in this database were sealed with another key. Set ROSTER_SECRET_KEY to it, or put its secret.key into the data folder.',
  );
};
