import { stat } from 'node:fs/promises';
import type { Storage } from '../db/storage.ts';
import { startApply } from '../features/imports/apply.service.ts';
import { encodings } from '../features/imports/csv/encoding.ts';
import { LAST_HEADER_ROW } from '../features/imports/csv/header-row.ts';
import type { FileChoices } from '../features/imports/csv/open.ts';
import {
  existingRules,
  type ImportOptions,
  invalidRules,
  tagRules,
} from '../features/imports/import.schema.ts';
import { getImport, type ImportView } from '../features/imports/import.service.ts';
import { reportCsv } from '../features/imports/report.ts';
import { startUndo } from '../features/imports/undo.service.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { countryOf } from '../features/workspaces/settings.service.ts';
import {
  AS_JSON,
  type Command,
  type Given,
  inWorkspace,
  print,
  UsageError,
  usageError,
  WORKSPACE,
} from './command.ts';
import { readCountry } from './country.ts';
import { columnWords, fileWords, nextCommand, wordsOf } from './import.output.ts';
import { finish, plan } from './import.run.ts';
import { printError, printText, writeAll } from './output.ts';

const usage = {
  [`roster import FILE [--workspace W] [--country US] [--on-existing skip|fill|overwrite] [--tags merge|replace]
                   [--on-invalid omit_field|reject_row] [--map "Column=field"]… [--encoding E] [--header-row N]
                   [--sheet NAME] [--legacy] [--plan] [--json]`]:
    'Plans what a CSV file or an .xlsx workbook would do to the contacts of a workspace, and applies it.',
  'roster import show ID [--report] [--workspace W] [--json]': "Shows an import's status.",
  'roster import apply ID [--workspace W] [--json]':
    'Applies a planned import, or resumes one that was interrupted.',
  'roster import undo ID [--workspace W] [--json]': 'Undoes an applied import, within 30 days.',
};

const options = {
  workspace: WORKSPACE,
  country: { type: 'string', means: "where national numbers are dialled, such as US (the workspace's)" },
  'on-existing': {
    type: 'string',
    means: 'to a contact that exists: skip, fill what is empty, overwrite (fill)',
  },
  tags: { type: 'string', means: "merge the row's tags with those of the contact, or replace them (merge)" },
  'on-invalid': {
    type: 'string',
    means: 'an invalid optional cell: omit_field with a warning, or reject_row (omit_field)',
  },
  encoding: { type: 'string', means: 'the encoding of the file, such as windows-1251 (detected)' },
  'header-row': { type: 'string', means: 'the line with the column names, 0 for none (detected)' },
  sheet: { type: 'string', means: 'the sheet of a workbook (the first visible one with content)' },
  map: { type: 'string', multiple: true, means: 'which field a column is; "Column=" for none' },
  legacy: { type: 'boolean', means: 'keep numbers that cannot be made international' },
  plan: { type: 'boolean', means: 'only plan' },
  report: { type: 'boolean', means: 'print every row and what became of it, as CSV' },
  json: AS_JSON,
} as const;

const oneOf = <T extends string>(name: string, values: readonly T[], text: string): T => {
  const value = values.find((each) => each === text);
  if (value) return value;
  throw new UsageError(`--${name} must be one of ${values.join(', ')}, not ${text}.`);
};

/** A column may have a `=` in its name; no field has. Nothing after it means no field. */
const chosenColumns = (pairs: string[]): Map<string, string | null> =>
  new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new UsageError(`--map must be written "Column=field", not ${pair}.`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim() || null];
    }),
  );

const chosenRules = (read: Given): Omit<ImportOptions, 'country'> => ({
  legacy: read.flag('legacy'),
  on_existing: oneOf('on-existing', existingRules, read.text('on-existing') ?? 'fill'),
  tags: oneOf('tags', tagRules, read.text('tags') ?? 'merge'),
  on_invalid: oneOf('on-invalid', invalidRules, read.text('on-invalid') ?? 'omit_field'),
});

const chosenFormat = (read: Given): FileChoices => {
  const encoding = read.text('encoding')?.toLowerCase();
  const row = read.text('header-row');
  if (row !== undefined && !(/^\d{1,3}$/.test(row) && Number(row) <= LAST_HEADER_ROW))
    throw new UsageError(`--header-row must be a number from 0 to ${LAST_HEADER_ROW}, not ${row}.`);
  return {
    encoding: encoding === undefined ? undefined : oneOf('encoding', encodings, encoding),
    headerRow: row === undefined ? undefined : Number(row),
    sheet: read.text('sheet'),
  };
};

/** What was asked for, checked before any database is opened. */
const requestOf = async (file: string, read: Given) => {
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new UsageError(`There is no file ${file} that can be read.`);
  if (found.isDirectory()) throw new UsageError(`${file} is a folder. Name the file in it.`);
  return {
    file,
    size: found.size,
    country: readCountry(read.text('country')),
    rules: chosenRules(read),
    choices: chosenFormat(read),
    named: chosenColumns(read.list('map')),
  };
};

const STARTS = { apply: startApply, undo: startUndo } as const;
const GOING_ON = { apply: 'applying', undo: 'undoing' } as const;

/** Applies or undoes an import; one that was interrupted is gone on with. */
const work = async (
  storage: Storage,
  principal: Principal,
  id: string,
  action: 'apply' | 'undo',
  read: Given,
): Promise<void> => {
  const { state } = await storage.run(getImport, principal, { id });
  if (state !== GOING_ON[action]) await storage.run(STARTS[action], principal, { id });
  const view = await finish(storage, principal, id, GOING_ON[action]);
  const workspace = read.text('workspace');
  if (view.state === GOING_ON[action]) {
    process.exitCode = 130;
    printError(
      `Stopped after ${view.progress.toLocaleString('en')} of ${view.rows.toLocaleString('en')} rows. A service on this database goes on with it; so does: ${nextCommand(action, id, workspace)}\n`,
    );
  }
  const next =
    view.state === 'applied' ? `\nTo undo it within 30 days: ${nextCommand('undo', id, workspace)}` : '';
  print(read.json, view, (await wordsOf(storage, principal, view)) + reportHint(view, workspace) + next);
};

const reportHint = ({ id, totals }: ImportView, workspace: string | undefined): string =>
  totals.invalid || totals.with_warnings || totals.duplicate_in_file || totals.edited_since
    ? `\nEvery row and what became of it: ${nextCommand('show', id, workspace)} --report`
    : '';

const importFile = async (read: Given, file: string): Promise<void> => {
  const { country, rules, ...request } = await requestOf(file, read);
  const workspace = read.text('workspace');
  await inWorkspace(workspace, async (storage, principal) => {
    const options = { ...rules, country: country ?? (await storage.run(countryOf, principal, null)) };
    const { view, isInterrupted } = await plan(storage, principal, { ...request, options });
    if (isInterrupted) process.exitCode = 130;
    if (!view) return printError('Stopped while the file was read. Nothing of it was stored.\n');
    if (!read.flag('plan') && !isInterrupted) {
      if (!read.json) printText(`${fileWords(view)}${columnWords(view)}\n\n`);
      return work(storage, principal, view.id, 'apply', read);
    }
    const words = `${fileWords(view)}${columnWords(view)}\n\n${await wordsOf(storage, principal, view)}`;
    const next = `\nNothing is written yet. To apply it: ${nextCommand('apply', view.id, workspace)}`;
    return print(read.json, view, words + reportHint(view, workspace) + next);
  });
};

const show = async (storage: Storage, principal: Principal, id: string, read: Given): Promise<void> => {
  const view = await storage.run(getImport, principal, { id });
  if (read.flag('report')) return writeAll(process.stdout, reportCsv(storage, principal, view));
  const words = `${fileWords(view)}${columnWords(view)}\n\n${await wordsOf(storage, principal, view)}`;
  return print(read.json, view, words + reportHint(view, read.text('workspace')));
};

export const importCommand: Command = {
  usage,
  options,
  run: async (read) => {
    const [first, id, ...more] = read.words;
    if (first === undefined || more.length > 0) throw usageError(usage);
    const action = (['show', 'apply', 'undo'] as const).find((each) => each === first);
    if (id === undefined) {
      if (action && !(await stat(first).catch(() => undefined))) throw usageError(usage);
      return importFile(read, first);
    }
    if (!action) throw usageError(usage);
    return inWorkspace(read.text('workspace'), (storage, principal) =>
      action === 'show' ? show(storage, principal, id, read) : work(storage, principal, id, action, read),
    );
  },
};
