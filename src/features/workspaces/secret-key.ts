import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSetupError } from '../../db/database.ts';
import { makeFolder } from '../../db/make-folder.ts';
import type { Storage } from '../../db/storage.ts';
import { createEncryptionKey, type EncryptionKey, type Encryptor, KeyRing } from '../../lib/encryption.ts';
import { CHECK_OWNER, CHECK_TEXT, createKeyCheck, findKeyCheck } from './key-check.ts';

const KEY_BYTES = 32;

const newKeyLine = (): string => `${randomBytes(KEY_BYTES).toString('base64')}\n`;

/** The keys of a file, newest first. Each is a line; a rotation appends one, so that no key is ever lost. */
const readKeys = (path: string): EncryptionKey[] => {
  const keys = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.length === 0 || keys.some(({ length }) => length !== KEY_BYTES))
    throw new DatabaseSetupError(`${path} must contain a key of ${KEY_BYTES} bytes in base64 on each line.`);
  return keys.map(createEncryptionKey).reverse();
};

/** Creates the key file atomically. If two processes create it concurrently, the first one wins. */
const createKeyFile = (path: string): void => {
  const draft = `${path}.${process.pid}`;
  makeFolder(dirname(path));
  writeFileSync(draft, newKeyLine(), { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};

/** The keys of an instance: from the configuration, newest first, or from the file in the data folder. */
export class KeySource {
  readonly #configured: readonly EncryptionKey[] | undefined;
  readonly #path: string;
  readonly #folder: string;

  constructor(configured: readonly Buffer[] | undefined, folder: string) {
    this.#configured = configured?.map(createEncryptionKey);
    this.#folder = folder;
    this.#path = join(folder, 'secret.key');
  }

  get isConfigured(): boolean {
    return this.#configured !== undefined;
  }

  /** The variable or the file that contains the keys. */
  get name(): string {
    return this.#configured ? 'ROSTER_SECRET_KEY' : this.#path;
  }

  ring(): KeyRing {
    return new KeyRing(() => this.#configured ?? readKeys(this.#path));
  }

  /** The same, but creates the file if it does not exist. */
  ringOrNew(): KeyRing {
    try {
      if (!this.#configured && !existsSync(this.#path)) createKeyFile(this.#path);
    } catch (error) {
      throw new DatabaseSetupError(
        `Cannot write ${this.#path}. Check ROSTER_DATA_DIR, or set ROSTER_SECRET_KEY.`,
        { cause: error },
      );
    }
    return this.ring();
  }

  /** Appends a new key to the file and flushes it to disk before the key is used. */
  append(): void {
    const isWhole = readFileSync(this.#path, 'utf8').endsWith('\n');
    appendFileSync(this.#path, `${isWhole ? '' : '\n'}${newKeyLine()}`, { mode: 0o600, flush: true });
  }

  /** Why the keys cannot be read, and what to do. A missing file is no problem. */
  fileProblem(): string | undefined {
    try {
      if (!this.#configured && existsSync(this.#path)) readKeys(this.#path);
      return undefined;
    } catch (error) {
      return error instanceof DatabaseSetupError
        ? `its key file is damaged: restore ${this.#path} from a copy; each line is a key of ${KEY_BYTES} bytes in base64`
        : `its key file cannot be read: let this user read ${this.#path}`;
    }
  }

  /** Why these keys do not fit a database with this check, and what to do. */
  problemWith(check: string): string | undefined {
    const remedy = this.#configured
      ? 'set ROSTER_SECRET_KEY to that key'
      : `copy its secret.key to ${this.#folder}, or set ROSTER_SECRET_KEY`;
    if (!this.#configured && !existsSync(this.#path)) return `its key is missing: ${remedy}`;
    const broken = this.fileProblem();
    if (broken) return broken;
    return this.ring().tryDecrypt(check, CHECK_OWNER) === CHECK_TEXT
      ? undefined
      : `its secrets were encrypted with another key: ${remedy}`;
  }
}

const assertKeysMatch = (keys: KeySource, check: string): void => {
  const fault = keys.problemWith(check);
  if (fault) throw new DatabaseSetupError(`The database exists, but ${fault}.`);
};

/** The keys of a database. Throws if they do not fit it. Creates a key only for a new database. */
const openKeys = async (storage: Storage, keys: KeySource): Promise<KeyRing> => {
  const known = await storage.run(findKeyCheck, null, null);
  if (known !== undefined) assertKeysMatch(keys, known);
  const ring = keys.ringOrNew();
  const encrypted = ring.newest.encrypt(CHECK_TEXT, CHECK_OWNER);
  const check = known ?? (await storage.run(createKeyCheck, null, { encrypted }));
  if (known === undefined) assertKeysMatch(keys, check);
  // The ring signs with the current key from now on.
  ring.decrypt(check, CHECK_OWNER);
  return ring;
};

/** Encrypts and decrypts the secrets of this database. Its check identifies the current key, so that every instance
 *  encrypts with the same one. An instance that reads its keys from a file also finds keys that were added later. */
export const openEncryptor = async (
  storage: Storage,
  configured: readonly Buffer[] | undefined,
  folder: string,
): Promise<Encryptor> => {
  const ring = await openKeys(storage, new KeySource(configured, folder));
  return {
    decrypt: (encrypted, owner) => ring.decrypt(encrypted, owner),
    current: async () => {
      const check = (await storage.run(findKeyCheck, null, null)) ?? '';
      const key = ring.keyOf(check);
      return { check, encrypt: key.encrypt };
    },
    sign: (text, purpose) => ring.sign(text, purpose),
    isSigned: (text, purpose, signature) => ring.isSigned(text, purpose, signature),
  };
};
