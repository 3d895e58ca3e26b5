import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Config, readConfig } from '../config/config.ts';
import { readMoveTarget } from '../config/database.ts';
import { type Database, DatabaseSetupError } from '../db/database.ts';
import { makeFolder } from '../db/make-folder.ts';
import { ConfigError } from '../lib/config-error.ts';
import { onInterrupt } from '../lib/interrupt.ts';
import { compareTables } from '../move/compare.ts';
import { copyTables, countCopied } from '../move/copy.ts';
import type { MoveTarget } from '../move/database.ts';
import { CONTINUE, explainInterruption } from '../move/interruption.ts';
import { type MoveSource, openSource, openTarget, releaseTarget } from '../move/open.ts';
import { type Command, type ParsedArgs, readOption } from './command.ts';
import { type MoveResult, printDifferences, printMoved } from './move.output.ts';
import { printError } from './output.ts';
import { progressBar } from './progress.ts';
import { verifyDatabase } from './verify.ts';

/** Rows live for one batch, so a large heap is only garbage. With these flags of V8 a move needs about half of the memory, and
 *  takes a tenth longer. */
const SMALL_HEAP = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

const NAMES = { option: '--to', variable: 'MOVE_TO_DATABASE_URL' } as const;

const readTarget = (name: string, url: string, source: Database): Database => {
  const to = readMoveTarget(name, url);
  if (to.engine === 'postgres') return to;
  if (source.engine === 'sqlite' && source.path === to.path)
    throw new ConfigError(`${name} is the database itself. Choose another one.`);
  if (statSync(to.path, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${to.path} is a folder. Name a file in it: sqlite:${to.path}/roster.db`);
  return to;
};

/** The target of the option, or else of the variable. */
const chooseTarget = ({ text, usageError }: ParsedArgs, { moveTo, database }: Config): Database => {
  const option = text('to');
  if (option === undefined && moveTo !== undefined) return readTarget(NAMES.variable, moveTo, database);
  if (option === undefined) throw usageError();
  return readOption(() => readTarget(NAMES.option, option, database));
};

/** Errors about the target name its own option or variable, not that of the source. */
const aboutTarget = async <T>(to: Database, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseSetupError && to.engine === 'postgres')
      error.message = error.message.replace(/\bDATABASE_URL\b/g, to.variable ?? NAMES.option);
    throw error;
  }
};

const copyAndCompare = async (source: MoveSource, target: MoveTarget): Promise<MoveResult> => {
  const before = await countCopied(target);
  const began = performance.now();
  const copying = progressBar('Copying', { from: before, lines: true });
  await copyTables(source, target, copying.update).finally(copying.end);
  const seconds = (performance.now() - began) / 1_000;
  const indexing = progressBar('Indexing', { unit: 'contacts', lines: true });
  await target.complete(await source.lastIds(), indexing.update).finally(indexing.end);
  const comparing = progressBar('Comparing', { lines: true });
  const tables = await compareTables(source, target, comparing.update).finally(comparing.end);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { tables, rows, rate: Math.round(Math.max(source.total - before, 0) / Math.max(seconds, 0.001)) };
};

const move = async (source: MoveSource, to: Database, restart: boolean): Promise<MoveResult> => {
  const target = await aboutTarget(to, () => openTarget(to, source, { restart }));
  try {
    return await copyAndCompare(source, target);
  } catch (error) {
    return await explainInterruption(to, error);
  } finally {
    await target.close().catch(() => {});
  }
};

const run = async (config: Config, to: Database, args: ParsedArgs): Promise<void> => {
  // The server itself, if the service connects to a pooler.
  const { database } = config.backup;
  const source = await openSource(database);
  const release = onInterrupt(() => printError(`\n${CONTINUE}\n`));
  try {
    if (to.engine === 'sqlite') makeFolder(dirname(to.path));
    const result = await move(source, to, args.flag('restart'));
    if (result.tables.some(({ same }) => !same)) return printDifferences(result, args);
    const report = await verifyDatabase(to, () => {}, { forMove: true });
    const isAccepted = report.failed.length === 0 || args.flag('accept-failed-checks');
    const isFinished = isAccepted && report.isSound;
    if (isFinished) await releaseTarget(to);
    printMoved(result, { config, to, report, isFinished, args });
  } finally {
    release();
    await source.close();
  }
};

const moveTo = async (args: ParsedArgs): Promise<void> => {
  for (const flag of SMALL_HEAP) setFlagsFromString(flag);
  const config = readConfig(process.env);
  await run(config, chooseTarget(args, config), args);
};

export const moveCommand: Command = {
  forms: {
    'roster move [--to URL] [--restart] [--accept-failed-checks] [--json]': [
      'Copies everything to an empty database and compares the copy. MOVE_TO_DATABASE_URL or --to is its URL: postgres://user:password@host/database or sqlite:PATH. The service must be stopped. The same command continues an interrupted move.',
      moveTo,
    ],
  },
  options: {
    to: 'The empty database, in the form of DATABASE_URL. Other users of the machine can see it in the list of processes; MOVE_TO_DATABASE_URL hides a password from them.',
    restart: 'Discard what an unfinished move has copied, and start again.',
    'accept-failed-checks':
      'Finish the move of a source whose rows fail checks, so that those of the copy fail them, too.',
  },
};
