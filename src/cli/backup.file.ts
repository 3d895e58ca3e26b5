import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Encryption } from '../backups/encryption.ts';
import type { Config } from '../config/config.ts';
import { formatSummary, keyName, prepared, secondsSince } from './backup.output.ts';
import { withBackupSource } from './backup.source.ts';
import { alreadyExists, type ParsedArgs, UsageError } from './command.ts';
import { withTempFile, writeContent } from './temp-file.ts';

/** Backs up to a file that the user names. */
export const runToFile = async (
  name: string,
  config: Config,
  encryption: Encryption | undefined,
  args: ParsedArgs,
): Promise<void> => {
  const { database } = config.backup;
  const file = resolve(name);
  if (database.engine === 'sqlite' && file === database.path)
    throw new UsageError(`${name} is the database itself. Choose another file.`);
  if (existsSync(file) && !args.flag('force')) throw alreadyExists('backup', name);
  const began = performance.now();
  const encrypted = encryption !== undefined;
  const isPlain = database.engine === 'sqlite' && !encrypted;
  const result = await withTempFile(file, (draft) =>
    withBackupSource(
      database,
      async (source) => {
        if (!isPlain) await writeContent(draft.path, prepared(source, encryption), file);
        draft.commitAs(file);
        const { contacts, agents } = source;
        return {
          file,
          contacts,
          agents,
          bytes: statSync(file).size,
          seconds: secondsSince(began),
          encrypted,
        };
      },
      isPlain ? { name: file, draft } : undefined,
    ),
  );
  const key = keyName(config);
  args.print({ ...result, key }, formatSummary(result, file, key));
};
