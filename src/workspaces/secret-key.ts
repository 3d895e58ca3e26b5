import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSealer, type Sealer } from '../kernel/seal.ts';
import { statementsOver } from '../storage/statement.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { UnfitError } from '../storage/unfit.ts';

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
    throw new UnfitError(`${path} does not hold a key of ${KEY_BYTES} bytes in base64.`);
  return key;
};

/** Makes the key of the data folder where there is none. It appears whole: of two that make it at once, one wins. */
const makeKey = (path: string): void => {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

const keyOfFolder = (folder: string): Buffer => {
  const path = fileIn(folder);
  try {
    if (!existsSync(path)) makeKey(path);
  } catch (error) {
    throw new UnfitError(`${path} cannot be written. Check ROSTER_DATA_DIR, or set ROSTER_SECRET_KEY.`, {
      cause: error,
    });
  }
  return readKey(path);
};

const KEY_BYTES = 32;
const NAME = 'key';
const KNOWN = 'roster';

/** What the key of this database has sealed, where one has been used. */
export const findSealCheck = async (db: Db): Promise<string | undefined> =>
  (await db.get(findCheck, { name: NAME }))?.sealed;

/** Keeps the given check unless there is one already, and gives the one that is kept. */
export const keepSealCheck = async (db: Db, _: null, { sealed }: { sealed: string }): Promise<string> => {
  await db.run(insertCheck, { name: NAME, sealed });
  return (await findSealCheck(db)) ?? '';
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
  const remedy = configured
    ? 'set ROSTER_SECRET_KEY to that one'
    : `put its secret.key into ${folder}, or set ROSTER_SECRET_KEY`;
  return {
    /** Where it is configured. */
    name: configured ? 'ROSTER_SECRET_KEY' : path,
    /** Why a database with this check cannot be used with it, and what to do. */
    faultWith: (kept: string): string | undefined => {
      if (!configured && !existsSync(path)) return `its key is missing: ${remedy}`;
      return opens(createSealer(configured ?? readKey(path)), kept)
        ? undefined
        : `its secrets were sealed with another key: ${remedy}`;
    },
  };
};

/** What seals the secrets of this database. Refuses a key that is not the one they were sealed with, and makes none
 *  where there must be one. */
export const openSealer = async (
  storage: Storage,
  configured: Buffer | undefined,
  folder: string,
): Promise<Sealer> => {
  const known = await storage.read(findSealCheck, null, null);
  const assertFits = (kept: string) => {
    const fault = sealingKey(configured, folder).faultWith(kept);
    if (fault) throw new UnfitError(`The database is there, but ${fault}.`);
  };
  if (known !== undefined) assertFits(known);
  const sealer = createSealer(configured ?? keyOfFolder(folder));
  if (known === undefined)
    assertFits(await storage.write(keepSealCheck, null, { sealed: sealer.seal(KNOWN, NAME) }));
  return sealer;
};
