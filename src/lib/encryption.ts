import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { unavailable } from './errors.ts';

export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** Seals secrets that are needed again in the clear: AES-256-GCM, with the name of what a secret belongs to bound in, so
 *  that a sealed secret cannot be moved to another record. */
export interface SealingKey {
  /** Part of everything that it seals, so that several keys can be in use. */
  readonly id: string;
  seal(secret: string, owner: string): string;
  open(sealed: string, owner: string): string;
}

const NONCE = 12;
const TAG = 16;

/** The id of the key that sealed a value, written before a colon. Values were sealed without one before keys could be
 *  rotated. */
export const keyIdOf = (sealed: string): string | undefined => /^([0-9a-f]{8}):/.exec(sealed)?.[1];

export const createSealer = (key: Buffer): SealingKey => {
  const id = hash('sha256', key, 'hex').slice(0, 8);
  return {
    id,
    seal: (secret, owner) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed.slice(sealed.indexOf(':') + 1), 'base64');
      const nonce = bytes.subarray(0, NONCE);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
    },
  };
};

/** The keys that an instance has. `load` is asked again when a value names a key that is not among them. */
export class KeyRing {
  readonly #load: () => readonly SealingKey[];
  #keys: readonly SealingKey[];

  constructor(load: () => readonly SealingKey[]) {
    this.#load = load;
    this.#keys = load();
  }

  get newest(): SealingKey {
    return this.#keys[0] as SealingKey;
  }

  open(sealed: string, owner: string): string {
    return this.#opened(sealed, owner).secret;
  }

  /** The key that sealed a value. */
  keyOf(sealed: string, owner: string): SealingKey {
    return this.#opened(sealed, owner).key;
  }

  #named(id: string | undefined) {
    return id === undefined ? this.#keys : this.#keys.filter((key) => key.id === id);
  }

  #opened(sealed: string, owner: string): { key: SealingKey; secret: string } {
    const id = keyIdOf(sealed);
    let named = this.#named(id);
    if (named.length === 0) {
      this.#keys = this.#load();
      named = this.#named(id);
    }
    if (named.length === 0)
      throw unavailable(
        `This instance of Roster does not have the sealing key ${id}. Ask an administrator to restart it with that key.`,
      );
    for (const key of named.slice(0, -1)) {
      try {
        return { key, secret: key.open(sealed, owner) };
      } catch {
        // A value without an id says only by opening which key it was sealed with.
      }
    }
    const key = named.at(-1) as SealingKey;
    return { key, secret: key.open(sealed, owner) };
  }
}

/** What features seal and open the secrets of their records with. */
export interface Sealer {
  open(sealed: string, owner: string): string;
  current(): Promise<CurrentKey>;
}

/** The key that the database says new values are sealed with. Their write names the check that said so. */
export interface CurrentKey {
  readonly check: string;
  seal(secret: string, owner: string): string;
}

const NO_DIGEST = '0'.repeat(64);

/** Whether a secret is the one that a digest was made of. Takes the same time for any other secret, and where there is no
 *  digest to compare with. */
export const isSameSecret = (secret: string, stored: string | undefined): boolean =>
  timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(stored ?? NO_DIGEST));
