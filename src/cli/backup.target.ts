import { applyRetention, listBackups, separateFuture, storeBackup } from '../backups/backup-store.ts';
import { readLimit } from '../backups/config.ts';
import type { Encryption } from '../backups/encryption.ts';
import { openStore } from '../backups/open-store.ts';
import { type BackupTarget, describeTarget } from '../backups/target.ts';
import type { Config } from '../config/config.ts';
import { formatSummary, keyName, prepared, secondsSince } from './backup.output.ts';
import { withBackupSource } from './backup.source.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { printError } from './output.ts';

const readTime = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  if (Number.isNaN(Date.parse(text)))
    throw new UsageError(`--unless-since must be a time such as 2027-01-01T03:00:00Z, not ${text}.`);
  return new Date(text).toISOString();
};

/** Limits of the environment apply to its target, and those of the command line to the one it names. */
const retentionOf = ({ text }: ParsedArgs, config: Config) =>
  text('to') === undefined && text('keep') === undefined && text('keep-days') === undefined
    ? config.backup.retention
    : { count: readLimit('--keep', text('keep')), days: readLimit('--keep-days', text('keep-days')) };

/** Stores a backup under a name of its own, and then deletes expired ones. */
export const runToTarget = async (
  target: BackupTarget,
  config: Config,
  encryption: Encryption | undefined,
  args: ParsedArgs,
): Promise<void> => {
  const [since, retention] = [readTime(args.text('unless-since')), retentionOf(args, config)];
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
  const result = await withBackupSource(config.backup.database, async (source) => {
    const info = { ...source.info, encrypted: encryption !== undefined };
    const { contacts, agents } = source;
    return { contacts, agents, ...(await storeBackup(store, info, prepared(source, encryption), source)) };
  });
  const { name, ...stored } = { ...result, seconds: secondsSince(began) };
  const expired = await applyRetention(store, retention, { now: Date.now(), written: name });
  const [backup, deleted] = [where + name, expired.map((each) => where + each)];
  const key = keyName(config);
  const deletions = deleted.map((each) => `Deleted ${each}.\n`).join('');
  args.print({ backup, ...stored, deleted, ignored, key }, deletions + formatSummary(stored, backup, key));
};
