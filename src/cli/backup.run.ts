import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { applyRetention, listBackups, separateFuture, storeBackup } from '../backups/backup-store.ts';
import { readLimit } from '../backups/config.ts';
import type { Encryption } from '../backups/encryption.ts';
import { openStore } from '../backups/open-store.ts';
import { type BackupTarget, describeTarget } from '../backups/target.ts';
import type { Config } from '../config/config.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { formatBytes } from '../lib/diagnosis.ts';
import { type BackupSource, withBackupSource } from './backup.source.ts';
import { alreadyExists, type ParsedArgs, pluralize, readOption, readTime, UsageError } from './command.ts';
import { printError } from './output.ts';
import { withProgress } from './progress.ts';
import { withTempFile, writeContent } from './temp-file.ts';

export interface BackupRun {
  readonly config: Config;
  readonly encryption: Encryption | undefined;
  readonly args: ParsedArgs;
}

/** The variable or the file with the key of the database's secrets. */
export const keyName = ({ secretKeys, dataDir }: Config): string => new KeySource(secretKeys, dataDir).name;

/** Encrypts the content if asked to, and shows progress. */
async function* prepared(
  { info, maxBytes, content }: BackupSource,
  encryption: Encryption | undefined,
): AsyncGenerator<Uint8Array> {
  const shown = withProgress('Writing', content(), info.engine === 'sqlite' ? maxBytes : undefined);
  if (encryption) yield* (await import('../backups/age.ts')).encrypted(shown, encryption);
  else yield* shown;
}

interface Written extends Pick<BackupSource, 'contacts' | 'agents'> {
  readonly bytes: number;
}

/** Prints where a backup was written, and which key a restore needs. */
const report = (
  { config, encryption, args }: BackupRun,
  { began, where, note = '' }: { began: number; where: string; note?: string },
  written: Written,
): void => {
  const { contacts, agents, bytes } = written;
  const [encrypted, key] = [encryption !== undefined, keyName(config)];
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const counts =
    contacts === null ? '' : `${pluralize(contacts, 'contact')} and ${pluralize(agents ?? 0, 'agent')}, `;
  const verb = contacts === null ? 'Dumped the database to' : 'Copied and verified';
  args.print(
    { ...written, encrypted, seconds, key },
    `${note}${verb} ${where} in ${seconds} s: ${counts}${formatBytes(bytes)}${encrypted ? ', encrypted' : ''}.
Channel secrets in the backup are encrypted with ${key}, which the backup does not contain.
You need this key to restore. Store it separately from the backup.`,
  );
};

/** Backs up to a file that the user names. */
export const backUpToFile = async (name: string, run: BackupRun): Promise<void> => {
  const { database } = run.config.backup;
  const file = resolve(name);
  if (database.engine === 'sqlite' && file === database.path)
    throw new UsageError(`${name} is the database itself. Choose another file.`);
  if (existsSync(file) && !run.args.flag('force')) throw alreadyExists('backup', name);
  const began = performance.now();
  const isPlain = database.engine === 'sqlite' && !run.encryption;
  const written = await withTempFile(file, (draft) => {
    const write = async (source: BackupSource) => {
      if (!isPlain) await writeContent(draft.path, prepared(source, run.encryption), file);
      draft.commit();
      const { contacts, agents } = source;
      return { file, contacts, agents, bytes: statSync(file).size };
    };
    return withBackupSource(database, write, isPlain ? draft : undefined);
  });
  report(run, { began, where: file }, written);
};

/** Limits of the environment apply to its target, and those of the command line to the one it names. */
const retentionOf = ({ text }: ParsedArgs, config: Config) => {
  if (['to', 'keep', 'keep-days'].every((name) => text(name) === undefined)) return config.backup.retention;
  const limit = (name: string) => readOption(() => readLimit(`--${name}`, text(name)));
  return { count: limit('keep'), days: limit('keep-days') };
};

/** Stores a backup under a name of its own, and then deletes expired ones. */
export const backUpToTarget = async (target: BackupTarget, run: BackupRun): Promise<void> => {
  const { config, encryption, args } = run;
  const since = readTime('unless-since', args.text('unless-since'));
  const retention = retentionOf(args, config);
  const where = describeTarget(target);
  const store = await openStore(target, config.backup.s3);
  // Also shows that the target can be read before the work begins.
  const { current, future } = separateFuture(await listBackups(store), Date.now());
  const ignored = future.map(({ name }) => where + name);
  for (const name of args.json ? [] : ignored)
    printError(`${name} is dated in the future and is ignored. Check the clock, and delete or rename it.\n`);
  const [newest] = current;
  if (since !== undefined && newest && newest.created_at >= since) {
    const { name, created_at, bytes } = newest;
    const found = { skipped: true, backup: where + name, created_at, bytes, ignored };
    return args.print(found, `${where}${name} is from ${created_at}. Nothing was written.`);
  }
  const began = performance.now();
  const { name, ...stored } = await withBackupSource(config.backup.database, async (source) => {
    const info = { ...source.info, encrypted: encryption !== undefined };
    const { contacts, agents } = source;
    return { contacts, agents, ...(await storeBackup(store, info, prepared(source, encryption), source)) };
  });
  const expired = await applyRetention(store, retention, { now: Date.now(), written: name });
  const [backup, deleted] = [where + name, expired.map((each) => where + each)];
  const note = deleted.map((each) => `Deleted ${each}.\n`).join('');
  const written = { backup, ...stored, deleted, ignored };
  report(run, { began, where: backup, note }, written);
};
