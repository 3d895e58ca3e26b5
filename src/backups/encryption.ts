import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** How to encrypt a backup: for public keys, or with a passphrase. */
export type Encryption = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What can decrypt a backup. */
export interface Decryption {
  readonly identities: readonly string[];
  readonly passphrase: string | undefined;
}

/** The first bytes of an encrypted file. */
const AGE_HEADER = 'age-encryption.org/v1\n';
const ARMOR_HEADER = '-----BEGIN AGE ENCRYPTED FILE-----';

/** How a file is encrypted, by its first bytes. Undefined if it is plain or does not exist. */
export const encryptionOf = (file: string): 'binary' | 'armored' | undefined => {
  if (!existsSync(file)) return undefined;
  const start = Buffer.alloc(ARMOR_HEADER.length);
  const input = openSync(file, 'r');
  try {
    readSync(input, start);
  } finally {
    closeSync(input);
  }
  const text = start.toString('latin1');
  if (text.startsWith(AGE_HEADER)) return 'binary';
  return text === ARMOR_HEADER ? 'armored' : undefined;
};
