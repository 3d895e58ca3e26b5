import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { DatabaseSetupError } from '../db/database.ts';
import { copyDatabase } from '../db/sqlite/backup.ts';
import { KeySource } from '../features/workspaces/secret-key.ts';
import { AS_JSON, type Command, counted, print, thereAlready, UsageError, usageError } from './command.ts';
import { dumping, tellElsewhere } from './postgres-tools.ts';
import { progressBar } from './progress.ts';
import { withDraft } from './temp-file.ts';
import { isSound, verdictWords, verifyDatabase } from './verify.ts';

const usage = {
  'roster backup FILE [--force] [--json]':
    'Copies the database to a file and verifies the copy, also while the service runs.',
};

const options = {
  force: { type: 'boolean', means: 'replace a file that is there already' },
  json: AS_JSON,
} as const;

/** Soon enough for who waits, too late for what is done at once. */
const PATIENCE_MS = 2_000;

/** Copies with a bar. */
export const copyShown = async (title: string, from: string, to: string): Promise<void> => {
  const bar = progressBar(title, { unit: 'pages', afterMs: PATIENCE_MS });
  await copyDatabase(from, to, bar.update).finally(bar.end);
};

const faulty = (file: string, wrong: string) =>
  new DatabaseSetupError(
    `The copy is not sound, and ${file} was not written. It is kept as ${file}.faulty.\n${wrong}\nnpx roster verify says whether the database itself is.`,
  );

const backUp = (path: string, file: string) =>
  withDraft(file, async (draft) => {
    const began = performance.now();
    await copyShown('Copying', path, draft.path);
    const verified = await verifyDatabase({ engine: 'sqlite', path: draft.path });
    if (verified.keyFault)
      throw new DatabaseSetupError(
        `The database is sound, but ${verified.keyFault}. ${file} was not written.`,
      );
    if (!isSound(verified)) {
      draft.place(`${file}.faulty`);
      throw faulty(
        file,
        verified.verdicts
          .filter(({ count }) => count > 0)
          .map(verdictWords)
          .join('\n'),
      );
    }
    draft.place(file);
    const { contacts, agents } = verified;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return { file, contacts, agents, bytes: statSync(file).size, seconds };
  });

type Written = Awaited<ReturnType<typeof backUp>>;

const words = ({ file, contacts, agents, bytes, seconds }: Written, key: string): string => {
  const size = `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
  return `${file} holds ${counted(contacts, 'contact')} and ${counted(agents, 'agent')}: ${size}, copied and verified in ${seconds} s.
The secrets of channels in it are sealed with ${key}, which is not in it.
A restore needs that key: keep it, too, in another place than the backup.`;
};

/** A copy of the database that is whole, verified and on disk, taken while the service runs. */
export const backupCommand: Command = {
  usage,
  options,
  run: async ({ words: given, flag, json }) => {
    const [name, ...more] = given;
    if (name === undefined || more.length > 0) throw usageError(usage);
    const { database, secretKeys, dataDir } = readConfig(process.env);
    if (database.engine === 'postgres') return tellElsewhere(json, dumping(database.url, name));
    const file = resolve(name);
    if (file === database.path) throw new UsageError(`${name} is the database itself. Name another file.`);
    if (!existsSync(database.path)) throw new DatabaseSetupError(`There is no database at ${database.path}.`);
    if (existsSync(file) && !flag('force')) throw thereAlready('backup', name);
    const written = await backUp(database.path, file);
    const key = new KeySource(secretKeys, dataDir).name;
    print(json, { ...written, key }, words(written, key));
  },
};
