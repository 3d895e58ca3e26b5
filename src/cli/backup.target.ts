import { applyRetention, listBackups, separateFuture, storeBackup } from '../backups/backup-store.ts';
import { readLimit } from '../backups/config.ts';
import type { Encryption } from '../backups/encryption.ts';
import { openStore } from '../backups/open-store.ts';
import { type BackupTarget, describeTarget } from '../backups/target.ts';
import type { Config } from '../config/config.ts';
import { formatSummary, keyName, prepared, secondsSince } from './backup.output.ts';
import { withBackupSource } from './backup.source.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { onInterrupt } from './interrupt.ts';
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
  const store = await openStore(target, config.backup.s3, onInterrupt);
  // Also shows that the target can be read before the work begins.
  const { current, future } = separateFuture(await listBackups(store), Date.now());
  const ignored = future.map(({ name }) => where + name);
  for (const name of args.json ? [] : ignored)
    printError(`${name} is dated in the future and is ignored. Check the clock, and delete or rename it.\n`);
  const [newest] = current;
  if (since !== undefined && newest && newest.createdAt >= since) {
    const found = {
      skipped: true,
      backup: where + newest.name,
      created_at: newest.createdAt,
      bytes: newest.bytes,
      ignored,
    };
    args.print(found, `${where}${newest.name} is from ${newest.createdAt}. Nothing was written.`);
    return;
  }
  const result = await withBackupSource(config.backup.database, async (source) => {
    const began = performance.now();
    const info = { ...source.info, encrypted: encryption !== undefined };
    const stored = await storeBackup(store, info, prepared(source, encryption), source);
    const { contacts, agents } = source;
    return { ...stored, contacts, agents, seconds: secondsSince(began) };
  });
  const deleted = await applyRetention(store, retention, { now: Date.now(), written: result.name });
  const { name, createdAt, engine, schema, encrypted, contacts, agents, bytes, seconds } = result;
  const key = keyName(config);
  const report = {
    backup: where + name,
    created_at: createdAt,
    engine,
    schema,
    encrypted,
    contacts,
    agents,
    bytes,
  };
  const deletions = deleted.map((each) => `Deleted ${where}${each}.\n`).join('');
  args.print(
    { ...report, seconds, deleted: deleted.map((each) => where + each), ignored, key },
    deletions + formatSummary(result, where + name, key),
  );
};
