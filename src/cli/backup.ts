import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { copyDatabase } from '../db/sqlite/backup.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { PROGRAM } from '../lib/executable.ts';
import { AS_JSON, alreadyExists, type Command, pluralize, print, UsageError, usageError } from './command.ts';
import { dumpInstructions, printInstructions } from './postgres-tools.ts';
import { progressBar } from './progress.ts';
import { withTempFile } from './temp-file.ts';
import { formatResult, isValid, verifyDatabase } from './verify.ts';

const usage = {
  'roster backup FILE [--force] [--json]':
    'Copies the database to a file and verifies the copy. The service may be running.',
};

const options = {
  force: { type: 'boolean', description: 'Replace an existing file.' },
  json: AS_JSON,
} as const;

/** Shorter copies show no progress bar. */
const PROGRESS_DELAY_MS = 2_000;
export const copyWithProgress = async (title: string, from: string, to: string): Promise<void> => {
  const bar = progressBar(title, { unit: 'pages', afterMs: PROGRESS_DELAY_MS });
  await copyDatabase(from, to, bar.update).finally(bar.end);
};

const invalidCopy = (file: string, failures: string) =>
  new DatabaseSetupError(
    `The copy failed verification, so ${file} was not written. The copy is stored as ${file}.faulty.\n${failures}\nTo check the database itself: ${PROGRAM} verify`,
  );

const backUp = (path: string, file: string) =>
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
      throw invalidCopy(
        file,
        verified.results
          .filter(({ count }) => count > 0)
          .map(formatResult)
          .join('\n'),
      );
    }
    draft.commitAs(file);
    const { contacts, agents } = verified;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return { file, contacts, agents, bytes: statSync(file).size, seconds };
  });

type BackupResult = Awaited<ReturnType<typeof backUp>>;

const formatSummary = ({ file, contacts, agents, bytes, seconds }: BackupResult, key: string): string => {
  const size = `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  return `Copied and verified ${file} in ${seconds} s: ${pluralize(contacts, 'contact')} and ${pluralize(agents, 'agent')}, ${size}.
Channel secrets in the backup are encrypted with ${key}, which the backup does not contain.
You need this key to restore. Store it separately from the backup.`;
};

export const backupCommand: Command = {
  usage,
  options,
  run: async ({ positionals, flag, json }) => {
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw usageError(usage);
    const { database, secretKeys, dataDir } = readConfig(process.env);
    if (database.engine === 'postgres') return printInstructions(json, dumpInstructions(database.url, name));
    const file = resolve(name);
    if (file === database.path) throw new UsageError(`${name} is the database itself. Choose another file.`);
    if (!existsSync(database.path)) throw new DatabaseSetupError(`No database found at ${database.path}.`);
    if (existsSync(file) && !flag('force')) throw alreadyExists('backup', name);
    const written = await backUp(database.path, file);
    const key = new KeySource(secretKeys, dataDir).name;
    print(json, { ...written, key }, formatSummary(written, key));
  },
};
