import type { Database } from '../db/database.ts';
import { ConfigError, readNumber } from '../lib/config-error.ts';
import { parseSchedule } from './cron.ts';
import { type BackupTarget, parseTarget, TARGET_FORM } from './target.ts';

/** The environment variables of backups, with their descriptions. */
export const backupVariables = {
  BACKUP_TO: 'Where backups are stored: a folder, or s3://bucket/prefix. Default: none.',
  BACKUP_SCHEDULE:
    'When the service backs up to BACKUP_TO: @hourly, @daily, @weekly, @monthly, or five cron fields in UTC. Default: never.',
  BACKUP_DATABASE_URL:
    'URL of the PostgreSQL server itself for backup, restore and move, if DATABASE_URL leads to a connection pooler. Default: DATABASE_URL.',
  BACKUP_KEEP: 'How many of the newest backups at BACKUP_TO to keep. Default: all.',
  BACKUP_KEEP_DAYS: 'For how many days to keep backups at BACKUP_TO. Default: forever.',
  BACKUP_ENCRYPT_TO: 'Public keys of age to encrypt backups for, separated by commas. Default: none.',
  BACKUP_PASSPHRASE: 'Passphrase that encrypts and decrypts backups. Default: none.',
  BACKUP_PASSPHRASE_FILE: 'File with that passphrase.',
  AWS_ACCESS_KEY_ID: 'Access key of the S3 store.',
  AWS_SECRET_ACCESS_KEY: 'Secret key of the S3 store.',
  AWS_SESSION_TOKEN: 'Session token, if the access key is temporary.',
  AWS_REGION: 'Region of the S3 store. Default: us-east-1.',
  AWS_ENDPOINT_URL_S3: 'URL of an S3-compatible store. Default: that of AWS.',
  AWS_ENDPOINT_URL: 'The same, if AWS_ENDPOINT_URL_S3 is not set.',
} as const;

type Read = (name: keyof typeof backupVariables) => string | undefined;

/** A limit of retention. */
export const readLimit = (name: string, text: string | undefined): number | undefined =>
  readNumber(name, text, { from: 1, to: 99_999 });

/** Keys of age are checked completely when they are used. */
export const splitRecipients = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

const readRecipients = (text = ''): string[] => {
  const recipients = splitRecipients(text);
  if (recipients.every((each) => /^age1[a-z0-9]{20,}$/.test(each))) return recipients;
  throw new ConfigError(
    'BACKUP_ENCRYPT_TO must be public keys of age, which start with age1, separated by commas.',
  );
};

/** Undefined without credentials: other programs may use the variables of AWS. */
const readS3 = (read: Read) => {
  const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: read('AWS_SESSION_TOKEN'),
    region: read('AWS_REGION') ?? 'us-east-1',
    /** The URL of a store other than AWS, which is then addressed with the bucket in the path. */
    endpoint: read('AWS_ENDPOINT_URL_S3') ?? read('AWS_ENDPOINT_URL'),
  };
};

export type S3Settings = NonNullable<ReturnType<typeof readS3>>;

export const requireS3 = (s3: S3Settings | undefined): S3Settings => {
  if (!s3) throw new ConfigError('For s3://, set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  if (s3.endpoint === undefined || (/^https?:\/\//.test(s3.endpoint) && URL.canParse(s3.endpoint))) return s3;
  throw new ConfigError(
    `AWS_ENDPOINT_URL_S3 must be a URL such as https://s3.example.com, not ${s3.endpoint}.`,
  );
};

export const readTarget = (name: string, text: string): BackupTarget => {
  const target = parseTarget(text);
  if (target) return target;
  throw new ConfigError(`${name} ${TARGET_FORM}, not ${text}.`);
};

const MIN_PASSPHRASE_LENGTH = 12;

/** A backup can be attacked offline, so that a short passphrase does not protect it. */
export const requireStrong = (passphrase: string): string => {
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase;
  throw new ConfigError(`The passphrase of backups must have at least ${MIN_PASSPHRASE_LENGTH} characters.`);
};

const readSettings = (read: Read, database: Database) => {
  const to = read('BACKUP_TO');
  return {
    /** The database that backup and restore connect to. */
    database,
    /** The target of scheduled backups, and the default of commands. */
    to: to === undefined ? undefined : readTarget('BACKUP_TO', to),
    retention: {
      count: readLimit('BACKUP_KEEP', read('BACKUP_KEEP')),
      days: readLimit('BACKUP_KEEP_DAYS', read('BACKUP_KEEP_DAYS')),
    },
    /** Public keys to encrypt for. */
    recipients: readRecipients(read('BACKUP_ENCRYPT_TO')),
    passphrase: read('BACKUP_PASSPHRASE'),
    s3: readS3(read),
  };
};

const readSchedule = (text: string | undefined, config: ReturnType<typeof readSettings>) => {
  if (text === undefined) return undefined;
  const schedule = parseSchedule(text);
  if (!schedule)
    throw new ConfigError(
      `BACKUP_SCHEDULE must be @hourly, @daily, @weekly, @monthly or five cron fields in UTC such as "30 3 * * *", not ${text}.`,
    );
  if (!config.to) throw new ConfigError('BACKUP_SCHEDULE needs BACKUP_TO, a folder or s3://bucket/prefix.');
  if (config.to.kind === 's3') requireS3(config.s3);
  if (config.passphrase !== undefined) requireStrong(config.passphrase);
  if (config.passphrase !== undefined && config.recipients.length > 0)
    throw new ConfigError('Set BACKUP_ENCRYPT_TO or a passphrase of backups, not both.');
  return schedule;
};

export const readBackupConfig = (read: Read, database: Database) => {
  const settings = readSettings(read, database);
  return { schedule: readSchedule(read('BACKUP_SCHEDULE'), settings), ...settings };
};

export type BackupConfig = ReturnType<typeof readBackupConfig>;
