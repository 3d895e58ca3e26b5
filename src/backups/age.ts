import { Decrypter, Encrypter } from 'age-encryption';
import type { Decryption, Encryption } from './encryption.ts';
import { BackupError } from './object-store.ts';

/* The format of https://age-encryption.org, so that the age tool can read and write the files. Loaded only if needed. */

const RECIPIENT_FORM = 'must be a public key of age that starts with age1, as age-keygen prints it';

/** Throws a `BackupError` for an invalid recipient. */
export const encrypterFor = (encryption: Encryption): Encrypter => {
  const encrypter = new Encrypter();
  if ('passphrase' in encryption) {
    encrypter.setPassphrase(encryption.passphrase);
    return encrypter;
  }
  for (const recipient of encryption.recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      const shown = recipient.startsWith('AGE-SECRET-KEY') ? 'a secret key' : recipient;
      throw new BackupError(`A recipient ${RECIPIENT_FORM}, not ${shown}.`, { cause: error });
    }
  }
  return encrypter;
};

/** Encrypts in chunks of 64 KiB, so that memory does not grow with the content. */
export async function* encrypted(
  content: AsyncIterable<Uint8Array>,
  encryption: Encryption,
): AsyncGenerator<Uint8Array> {
  yield* await encrypterFor(encryption).encrypt(ReadableStream.from(content));
}

const decrypterFor = ({ identities, passphrase }: Decryption): Decrypter => {
  const decrypter = new Decrypter();
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
    } catch (error) {
      throw new BackupError(
        'The identity file must contain secret keys of age that start with AGE-SECRET-KEY-1, one per line. Decrypt a protected file first.',
        { cause: error },
      );
    }
  }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  return decrypter;
};

/** Why a file cannot be decrypted, from the message of the library. */
const explain = (name: string, error: unknown): BackupError =>
  new BackupError(
    /no identity matched/.test(String(error))
      ? `${name} cannot be decrypted: it was encrypted for another key or passphrase.`
      : `${name} cannot be decrypted: it is incomplete, or was changed after it was encrypted.`,
    { cause: error },
  );

/** Decrypts chunk by chunk. Content that was yielded before an error is authentic, but not complete. */
export async function* decrypted(
  content: AsyncIterable<Uint8Array>,
  decryption: Decryption,
  name: string,
): AsyncGenerator<Uint8Array> {
  const decrypter = decrypterFor(decryption);
  let sourceError: { readonly error: unknown } | undefined;
  const source = async function* () {
    try {
      yield* content;
    } catch (error) {
      sourceError = { error };
      throw error;
    }
  };
  try {
    yield* await decrypter.decrypt(ReadableStream.from(source()));
  } catch (error) {
    throw sourceError ? sourceError.error : explain(name, error);
  }
}
