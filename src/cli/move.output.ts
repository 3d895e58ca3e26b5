import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { urlWithoutPassword } from '../db/postgres/client-tools.ts';
import type { TableComparison } from '../move/compare.ts';
import { keyName } from './backup.run.ts';
import { type ParsedArgs, pluralize, table } from './command.ts';
import { printError } from './output.ts';
import { describeFailures, type VerifyReport } from './verify.ts';

export interface MoveResult {
  readonly tables: readonly TableComparison[];
  readonly rows: number;
  /** Rows that this process has copied per second. */
  readonly rate: number;
}

const nameOf = (database: Database): string =>
  database.engine === 'sqlite' ? `sqlite:${database.path}` : urlWithoutPassword(database.url);

const summaryOf = (tables: readonly TableComparison[]): string =>
  table(
    ['Table', 'Rows', 'Digest'],
    tables.map(({ table: name, rows, digest }) => [name, rows.toLocaleString('en'), digest]),
  );

/** The move stays unfinished, so that the service does not start on a wrong copy. */
export const printDifferences = ({ tables }: MoveResult, { json, print }: ParsedArgs): void => {
  process.exitCode = 1;
  const names = tables.filter(({ same }) => !same).map((each) => each.table);
  if (json) print({ ok: false, different: names }, '');
  printError(
    `The copy differs from the source in ${names.join(', ')}. The source may have changed since the move began. Run the same command with --restart to copy everything again.\n`,
  );
};

/** Nothing if the database has no key yet. */
const keyNote = (config: Config, to: Database, { tables }: MoveResult): string[] => {
  if (!tables.some(({ table: name, rows }) => name === 'seal_checks' && rows > 0)) return [];
  const key = keyName(config);
  const isFile = to.engine === 'postgres' && !config.secretKeys;
  return [
    `Keep ${key}: it encrypts the secrets of channels.${isFile ? ' Several instances need its keys in ROSTER_SECRET_KEY.' : ''}`,
  ];
};

const nextStep = ({ database }: Config, to: Database): string =>
  to.engine === 'sqlite'
    ? `Start the service with DATABASE_URL=sqlite:${to.path}. The source ${nameOf(database)} was not changed.`
    : `Start the service with DATABASE_URL set to the URL of the target. The source ${nameOf(database)} was not changed.`;

/** What to do about checks that fail on the copy. */
const adviceFor = ({ keyProblem, isSound }: VerifyReport, isFinished: boolean): string => {
  if (!isSound)
    return 'The rows of the copy equal the source, but the copy is damaged. The move is not finished. Run the same command with --restart to copy everything again.';
  if (isFinished) return 'These checks fail on the copy, which equals the source:';
  return keyProblem
    ? `The copy equals the source, but ${keyProblem}. The move is not finished. Run the same command with the key of the source, or add --accept-failed-checks.`
    : 'The copy equals the source, but checks fail. The move is not finished. Restore the source from a valid backup, or correct its rows, and run the same command with --restart. To move it as it is, add --accept-failed-checks.';
};

interface MovedOptions {
  readonly config: Config;
  readonly to: Database;
  readonly report: VerifyReport;
  /** Whether the service can start on the copy. */
  readonly isFinished: boolean;
  readonly args: ParsedArgs;
}

/** The result of a move that copied everything, and what to do next. */
export const printMoved = (result: MoveResult, { config, to, report, isFinished, args }: MovedOptions) => {
  const { tables, rows, rate } = result;
  const failed = report.failed.length;
  const moved = {
    ok: isFinished,
    from: nameOf(config.database),
    to: nameOf(to),
    rows,
    rows_per_second: rate,
    tables: tables.map(({ table: name, rows: count, digest }) => ({ name, rows: count, digest })),
    key: keyName(config),
    checks: report.results,
  };
  const lines = [
    summaryOf(tables),
    '',
    `Copied ${pluralize(rows, 'row')} (${rate.toLocaleString('en')} per second). Every table equals the source.`,
    failed === 0
      ? `All ${report.results.length} checks passed.`
      : `${failed} of ${report.results.length} checks failed.`,
    ...(isFinished ? [nextStep(config, to), ...keyNote(config, to, result)] : []),
  ];
  args.print(moved, lines.join('\n'));
  if (!isFinished) process.exitCode = 1;
  if (failed > 0) printError(`${adviceFor(report, isFinished)}\n${describeFailures(report)}\n`);
};
