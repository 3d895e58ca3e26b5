import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Encryption } from '../backups/encryption.ts';
import type { Config } from '../config/config.ts';
import { type Database, DatabaseSetupError } from '../db/database.ts';
import { PROGRAM } from '../lib/executable.ts';
import { formatSummary, keyName, prepared, secondsSince } from './backup.output.ts';
import { copyWithProgress, describeFailures, withBackupSource } from './backup.source.ts';
import { alreadyExists, type ParsedArgs, UsageError } from './command.ts';
import { withTempFile, writeContent } from './temp-file.ts';
import { isValid, verifyDatabase } from './verify.ts';

/** The plain copy of SQLite gets its name without being written twice. */
const backUpToFile = (path: string, file: string) =>
  withTempFile(file, async (draft) => {
    const began = performance.now();
    await copyWithProgress('Copying', path, draft.path);
    const verified = await verifyDatabase({ engine: 'sqlite', path: draft.path });
    if (verified.keyProblem)
      throw new DatabaseSetupError(
        `The database is valid, but ${verified.keyProblem}. ${file} was not written.`,
      );
    if (!isValid(verified)) {
      draft.commitAs(`${file}.faulty`);
      throw new DatabaseSetupError(
        `The copy failed verification, so ${file} was not written. The copy is stored as ${file}.faulty.\n${describeFailures(verified)}\nTo check the database itself: ${PROGRAM} verify`,
      );
    }
    draft.commitAs(file);
    const { contacts, agents } = verified;
    return {
      file,
      contacts,
      agents,
      bytes: statSync(file).size,
      seconds: secondsSince(began),
      encrypted: false,
    };
  });

/** Streams a copy into a file. The temporary copy of an encrypted backup is next to the database, not at the target. */
const streamToFile = (database: Database, file: string, encryption: Encryption | undefined) =>
  withTempFile(file, (draft) =>
    withBackupSource(database, async (source) => {
      const began = performance.now();
      await writeContent(draft.path, prepared(source, encryption), file);
      draft.commitAs(file);
      const { contacts, agents } = source;
      return {
        file,
        contacts,
        agents,
        bytes: statSync(file).size,
        seconds: secondsSince(began),
        encrypted: encryption !== undefined,
      };
    }),
  );

/** Backs up to a file that the user names. */
export const runToFile = async (
  name: string,
  config: Config,
  encryption: Encryption | undefined,
  args: ParsedArgs,
) => {
  const { database } = config.backup;
  const file = resolve(name);
  if (database.engine === 'sqlite') {
    if (file === database.path) throw new UsageError(`${name} is the database itself. Choose another file.`);
    if (!existsSync(database.path)) throw new DatabaseSetupError(`No database found at ${database.path}.`);
  }
  if (existsSync(file) && !args.flag('force')) throw alreadyExists('backup', name);
  const result =
    database.engine === 'sqlite' && !encryption
      ? await backUpToFile(database.path, file)
      : await streamToFile(database, file, encryption);
  const key = keyName(config);
  args.print({ ...result, key }, formatSummary(result, file, key));
};
