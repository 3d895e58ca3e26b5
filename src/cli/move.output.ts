import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { urlWithoutPassword } from '../db/postgres/client-tools.ts';
import { PROGRAM } from '../lib/executable.ts';
import type { TableComparison } from '../move/compare.ts';
import { keyName } from './backup.output.ts';
import { describeFailures } from './backup.source.ts';
import { pluralize, print, table } from './command.ts';
import { printError } from './output.ts';
import { isValid, type VerifyReport } from './verify.ts';

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
export const printDifferences = ({ tables }: MoveResult, json: boolean): void => {
  process.exitCode = 1;
  const names = tables.filter(({ same }) => !same).map((each) => each.table);
  if (json) print(json, { ok: false, different: names }, '');
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
    : `Start the service with DATABASE_URL set to the URL of --to. The source ${nameOf(database)} was not changed.`;

/** The result of a move that copied everything, and what to do next. */
export const printMoved = (
  result: MoveResult,
  { config, to, report, json }: { config: Config; to: Database; report: VerifyReport; json: boolean },
): void => {
  const { tables, rows, rate } = result;
  const ok = isValid(report);
  const moved = {
    ok,
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
    ...(ok
      ? [`All ${report.results.length} checks passed.`, nextStep(config, to), ...keyNote(config, to, result)]
      : []),
  ];
  print(json, moved, lines.join('\n'));
  if (ok) return;
  process.exitCode = 1;
  printError(
    `The copy equals the source, but fails verification. Run ${PROGRAM} verify on the source, too, before you use the copy.\n${describeFailures(report)}\n`,
  );
};
