import { createCipheriv, createDecipheriv, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export const digest = (secret: string): string => hash('sha256', secret, 'hex');

/** Keeps a secret that is needed again in the clear: AES-256-GCM, with the name of what it belongs to bound in, so that a
 *  sealed secret cannot be moved to another record. */
export interface Sealer {
  seal(secret: string, owner: string): string;
  open(sealed: string, owner: string): string;
}

const NONCE = 12;
const TAG = 16;

export const createSealer = (key: Buffer): Sealer => ({
  seal: (secret, owner) => {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  },
  open: (sealed, owner) => {
    const bytes = Buffer.from(sealed, 'base64');
    const nonce = bytes.subarray(0, NONCE);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
  },
});

const NO_DIGEST = '0'.repeat(64);

/** Whether a secret is the one that a digest was made of. Takes the same time for any other secret, and where there is no
 *  digest to compare with. */
export const isSameSecret = (secret: string, stored: string | undefined): boolean =>
  timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(stored ?? NO_DIGEST));
