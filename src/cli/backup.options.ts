import type { BackupConfig } from '../backups/config.ts';
import { readTarget, requireStrong, splitRecipients } from '../backups/config.ts';
import type { Decryption, Encryption } from '../backups/encryption.ts';
import type { BackupTarget } from '../backups/target.ts';
import { readNamedFile, readSecretFile } from '../config/secret-variables.ts';
import { type ParsedArgs, readOption, UsageError } from './command.ts';

export const PASSPHRASE_FILE = 'File with the passphrase in its first line. Default: BACKUP_PASSPHRASE.';

const readPassphrase = ({ text }: ParsedArgs): string | undefined => {
  const file = text('passphrase-file');
  return file === undefined ? undefined : readSecretFile('--passphrase-file', file);
};

/** How to encrypt: options replace the environment. Undefined if nothing asks for it. */
export const readEncryption = (args: ParsedArgs, config: BackupConfig): Encryption | undefined => {
  const given = {
    recipients: args.list('encrypt-to').flatMap(splitRecipients),
    passphrase: readPassphrase(args),
  };
  const { recipients, passphrase } =
    given.recipients.length > 0 || given.passphrase !== undefined ? given : config;
  if (recipients.length > 0 && passphrase !== undefined) throw new UsageError(BOTH);
  if (recipients.length > 0) return { recipients };
  return passphrase === undefined ? undefined : { passphrase: requireStrong(passphrase) };
};

const BOTH = 'A backup can be encrypted for public keys or with a passphrase, not both. Choose one.';

/** The secret keys in a file, one per line, without comments. */
const readIdentities = (file: string): string[] =>
  readNamedFile('--identity', file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** What may decrypt a backup, from the options and the environment. */
export const readDecryption = (args: ParsedArgs, { passphrase }: BackupConfig): Decryption => {
  const identity = args.text('identity');
  return {
    identities: identity === undefined ? [] : readIdentities(identity),
    passphrase: readPassphrase(args) ?? passphrase,
  };
};

/** The target that an option names, else BACKUP_TO. */
export const targetOf = (option: string, args: ParsedArgs, { to }: BackupConfig): BackupTarget => {
  const text = args.text(option);
  const target = text === undefined ? to : readOption(() => readTarget(`--${option}`, text));
  if (target) return target;
  throw args.usageError();
};
