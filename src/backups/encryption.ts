import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** How to encrypt a backup: for public keys, or with a passphrase. */
export type Encryption = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What can decrypt a backup. */
export interface Decryption {
  readonly identities: readonly string[];
  readonly passphrase: string | undefined;
}

/** The first bytes of an encrypted file. */
export const AGE_HEADER = 'age-encryption.org/v1\n';
export const ARMOR_HEADER = '-----BEGIN AGE ENCRYPTED FILE-----';

/** The lines of a file of keys, without comments. */
export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Whether a file exists and starts like an encrypted one. */
export const isEncrypted = (file: string): boolean => {
  if (!existsSync(file)) return false;
  const start = Buffer.alloc(ARMOR_HEADER.length);
  const input = openSync(file, 'r');
  try {
    readSync(input, start);
  } finally {
    closeSync(input);
  }
  const text = start.toString('latin1');
  return text === ARMOR_HEADER || text.startsWith(AGE_HEADER);
};
