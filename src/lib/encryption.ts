import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { unavailable } from './errors.ts';

export const digest = (secret: string): string => hash('sha256', secret, 'hex');

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id of the key that encrypted a value, before the colon. */
export const keyIdOf = (encrypted: string): string => encrypted.split(':', 1)[0] ?? '';

/** Encrypts secrets that are needed again as plaintext, with AES-256-GCM. The id of the owning record is authenticated
 *  with the ciphertext, so that an encrypted secret cannot be moved to another record. */
export const createEncryptionKey = (key: Buffer) => {
  const id = hash('sha256', key, 'hex').slice(0, 8);
  return {
    /** Prefix of every value that this key encrypts, so that several keys can be in use. */
    id,
    encrypt: (secret: string, owner: string): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${id}:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    decrypt: (encrypted: string, owner: string): string => {
      const bytes = Buffer.from(encrypted.slice(encrypted.indexOf(':') + 1), 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    /** HMAC-SHA-256 with a key derived for one purpose, so that a signature is worthless for another. */
    sign: (text: string, purpose: string): Buffer =>
      createHmac('sha256', new Uint8Array(hkdfSync('sha256', key, '', purpose, 32)))
        .update(text)
        .digest(),
  };
};

export type EncryptionKey = ReturnType<typeof createEncryptionKey>;

/** The keys of an instance, newest first. Loads them again when a value names an unknown key. */
export class KeyRing {
  readonly #load: () => readonly EncryptionKey[];
  #keys: readonly EncryptionKey[];
  /** The key of the value that was decrypted last. */
  #lastUsed: EncryptionKey;

  constructor(load: () => readonly EncryptionKey[]) {
    this.#load = load;
    this.#keys = load();
    this.#lastUsed = this.newest;
  }

  get newest(): EncryptionKey {
    return this.#keys[0] as EncryptionKey;
  }

  decrypt(encrypted: string, owner: string): string {
    const key = this.keyOf(encrypted);
    const secret = key.decrypt(encrypted, owner);
    this.#lastUsed = key;
    return secret;
  }

  /** The same, but undefined if the keys do not decrypt it. */
  tryDecrypt(encrypted: string, owner: string): string | undefined {
    try {
      return this.decrypt(encrypted, owner);
    } catch {
      return undefined;
    }
  }

  /** The key that encrypted a value. */
  keyOf(encrypted: string): EncryptionKey {
    const id = keyIdOf(encrypted);
    if (!this.#keys.some((key) => key.id === id)) this.#keys = this.#load();
    const found = this.#keys.find((key) => key.id === id);
    if (found) return found;
    throw unavailable(
      `This instance of Roster does not have the encryption key ${id}. Ask an administrator to restart it with that key.`,
    );
  }

  /** Signs with the key that encrypted the value read last. While instances get another key, one after another, all of them have this one. */
  sign(text: string, purpose: string): Buffer {
    return this.#lastUsed.sign(text, purpose);
  }

  /** Whether one of the keys made this signature, or the beginning of it. */
  isSigned(text: string, purpose: string, signature: Buffer): boolean {
    return this.#keys.some((key) =>
      timingSafeEqual(key.sign(text, purpose).subarray(0, signature.length), signature),
    );
  }
}

/** Encrypts and decrypts the secrets of records. */
export interface Encryptor {
  decrypt(encrypted: string, owner: string): string;
  current(): Promise<CurrentKey>;
  /** Signs with a key that all instances have. */
  sign(text: string, purpose: string): Buffer;
  isSigned(text: string, purpose: string, signature: Buffer): boolean;
}

/** The key that encrypts new values. A write passes `check` along, and fails if another key has become current. */
export interface CurrentKey {
  readonly check: string;
  encrypt(secret: string, owner: string): string;
}

/** Decrypts a secret that proves nothing, in place of that of a record that does not exist, so that both rejections take the same time. */
export const newDecoy = (): (() => string) => {
  const key = createEncryptionKey(randomBytes(32));
  const encrypted = key.encrypt(`whsec_${randomBytes(24).toString('base64')}`, 'decoy');
  return () => key.decrypt(encrypted, 'decoy');
};

const NO_DIGEST = '0'.repeat(64);

/** Compares in constant time, also when there is no stored digest. */
export const isSameSecret = (secret: string, stored: string | undefined): boolean =>
  timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(stored ?? NO_DIGEST));
