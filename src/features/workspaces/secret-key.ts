import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSetupError } from '../../db/database.ts';
import type { Storage } from '../../db/storage.ts';
import { createSealer, KeyRing, type Sealer, type SealingKey } from '../../lib/encryption.ts';
import { CHECK_OWNER, CHECK_TEXT, findSealCheck, keepSealCheck } from './seal-check.ts';

const KEY_BYTES = 32;

const newKeyLine = (): string => `${randomBytes(KEY_BYTES).toString('base64')}\n`;

/** The keys of a file, newest first. Each has a line; a rotation appends its own, so that no key is ever lost. */
const readKeys = (path: string): SealingKey[] => {
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new DatabaseSetupError(`${path} must hold a key of ${KEY_BYTES} bytes in base64 on each line.`);
  return keys.map(createSealer).reverse();
};

/** Makes the key of the data folder where there is none. It appears whole: of two that make it at once, one wins. */
const makeKey = (path: string): void => {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, newKeyLine(), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

/** Where the keys of an instance come from: configured, newest first, or from the file in the data folder. */
export class KeySource {
  readonly #configured: readonly SealingKey[] | undefined;
  readonly #path: string;
  readonly #folder: string;

  constructor(configured: readonly Buffer[] | undefined, folder: string) {
    this.#configured = configured?.map(createSealer);
    this.#folder = folder;
    this.#path = join(folder, 'secret.key');
  }

  get isConfigured(): boolean {
    return this.#configured !== undefined;
  }

  /** Where the keys are configured. */
  get name(): string {
    return this.#configured ? 'ROSTER_SECRET_KEY' : this.#path;
  }

  ring(): KeyRing {
    return new KeyRing(() => this.#configured ?? readKeys(this.#path));
  }

  /** The same, with a new key where there is no file. */
  ringOrNew(): KeyRing {
    try {
      if (!this.#configured && !existsSync(this.#path)) makeKey(this.#path);
    } catch (error) {
      throw new DatabaseSetupError(
        `${this.#path} cannot be written. Check ROSTER_DATA_DIR, or set ROSTER_SECRET_KEY.`,
        { cause: error },
      );
    }
    return this.ring();
  }

  /** Appends a new key to the file. It is on disk before anything is sealed with it. */
  append(): void {
    const isWhole = readFileSync(this.#path, 'utf8').endsWith('\n');
    const file = openSync(this.#path, 'a', 0o600);
    try {
      writeSync(file, `${isWhole ? '' : '\n'}${newKeyLine()}`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Why a database with this check cannot be used with these keys, and what to do. */
  faultWith(check: string): string | undefined {
    const remedy = this.#configured
      ? 'set ROSTER_SECRET_KEY to that one'
      : `put its secret.key into ${this.#folder}, or set ROSTER_SECRET_KEY`;
    if (!this.#configured && !existsSync(this.#path)) return `its key is missing: ${remedy}`;
    return opens(this.ring(), check) ? undefined : `its secrets were sealed with another key: ${remedy}`;
  }
}

const opens = (ring: KeyRing, check: string): boolean => {
  try {
    return ring.open(check, CHECK_OWNER) === CHECK_TEXT;
  } catch {
    return false;
  }
};

const assertFits = (keys: KeySource, check: string): void => {
  const fault = keys.faultWith(check);
  if (fault) throw new DatabaseSetupError(`The database is there, but ${fault}.`);
};

/** The check of a database and the keys that open it. Refuses keys that are not those of the database, and makes none
 *  where there must be one. */
export const openKeys = async (storage: Storage, keys: KeySource): Promise<KeyRing> => {
  const known = await storage.run(findSealCheck, null, null);
  if (known !== undefined) assertFits(keys, known);
  const ring = keys.ringOrNew();
  if (known === undefined) {
    const sealed = ring.newest.seal(CHECK_TEXT, CHECK_OWNER);
    assertFits(keys, await storage.run(keepSealCheck, null, { sealed }));
  }
  return ring;
};

/** What seals and opens the secrets of this database. Its check says which key is current, so that every instance seals
 *  with the same one; an instance that reads its keys from a file finds those that were added since. */
export const openSealer = async (
  storage: Storage,
  configured: readonly Buffer[] | undefined,
  folder: string,
): Promise<Sealer> => {
  const ring = await openKeys(storage, new KeySource(configured, folder));
  return {
    open: (sealed, owner) => ring.open(sealed, owner),
    current: async () => {
      const check = (await storage.run(findSealCheck, null, null)) ?? '';
      const key = ring.keyOf(check, CHECK_OWNER);
      return { check, seal: key.seal };
    },
  };
};
