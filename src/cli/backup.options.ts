import { readFileSync } from 'node:fs';
import type { BackupConfig } from '../backups/config.ts';
import { readTarget, requireStrong, splitRecipients } from '../backups/config.ts';
import {
  AGE_HEADER,
  ARMOR_HEADER,
  type Decryption,
  type Encryption,
  keyLines,
} from '../backups/encryption.ts';
import type { BackupTarget } from '../backups/target.ts';
import { readSecretFile } from '../config/secret-variables.ts';
import { type ParsedArgs, UsageError } from './command.ts';

export const PASSPHRASE_FILE = 'File with the passphrase in its first line. Default: BACKUP_PASSPHRASE.';

export const ENCRYPTION_OPTIONS = {
  'encrypt-to': 'Public key of age to encrypt for; repeatable. Default: BACKUP_ENCRYPT_TO.',
  'recipients-file': 'File with such keys, one per line.',
  'passphrase-file': PASSPHRASE_FILE,
};

const readLines = (option: string, file: string): string[] => {
  try {
    return keyLines(readFileSync(file, 'utf8'));
  } catch {
    throw new UsageError(`Cannot read the --${option} file ${file}.`);
  }
};

/** How to encrypt: options replace the environment. Undefined if nothing asks for it. */
export const readEncryption = ({ list, text }: ParsedArgs, config: BackupConfig): Encryption | undefined => {
  const [recipientsFile, passphraseFile] = [text('recipients-file'), text('passphrase-file')];
  const named = [
    ...list('encrypt-to').flatMap(splitRecipients),
    ...(recipientsFile === undefined ? [] : readLines('recipients-file', recipientsFile)),
  ];
  if (recipientsFile !== undefined && named.length === 0)
    throw new UsageError(`The --recipients-file ${recipientsFile} has no keys.`);
  const { recipients, passphrase } =
    named.length > 0 || passphraseFile !== undefined
      ? { recipients: named, passphrase: readPassphrase(passphraseFile) }
      : config;
  if (recipients.length > 0 && passphrase !== undefined) throw new UsageError(BOTH);
  if (recipients.length > 0) return { recipients };
  return passphrase === undefined ? undefined : { passphrase: requireStrong(passphrase) };
};

const readPassphrase = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : readSecretFile('--passphrase-file', file);

const BOTH = 'A backup can be encrypted for public keys or with a passphrase, not both. Choose one.';

/** What may decrypt a backup, from the options and the environment. */
export const readDecryption = ({ text }: ParsedArgs, { passphrase }: BackupConfig): Decryption => {
  const identity = text('identity');
  return {
    identities: identity === undefined ? [] : readLines('identity', identity),
    passphrase: readPassphrase(text('passphrase-file')) ?? passphrase,
  };
};

/** The target that an option names, else BACKUP_TO. */
export const targetOf = (option: string, args: ParsedArgs, { to }: BackupConfig): BackupTarget => {
  const text = args.text(option);
  const target = text === undefined ? to : readTarget(`--${option}`, text);
  if (target) return target;
  throw args.usageError();
};

/** Decrypts content that starts like an encrypted file, and passes other content on. */
export async function* decryptedIfNeeded(
  content: AsyncIterable<Uint8Array>,
  decryption: Decryption,
  name: string,
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  // The first chunk may be shorter than a header.
  let first = Buffer.alloc(0);
  while (first.length < ARMOR_HEADER.length) {
    const next = await chunks.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  const start = first.subarray(0, ARMOR_HEADER.length).toString('latin1');
  const whole = async function* () {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  if (start === ARMOR_HEADER)
    throw new UsageError(`${name} is armored. Convert it first: age --decrypt, or encrypt without --armor.`);
  if (!start.startsWith(AGE_HEADER)) {
    yield* whole();
    return;
  }
  if (decryption.identities.length === 0 && decryption.passphrase === undefined)
    throw new UsageError(
      `${name} is encrypted. Use --identity FILE for a secret key, or --passphrase-file FILE or BACKUP_PASSPHRASE for a passphrase.`,
    );
  const { decrypted } = await import('../backups/age.ts');
  yield* decrypted(whole(), decryption, name);
}
