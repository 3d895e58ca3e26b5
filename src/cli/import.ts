import { stat } from 'node:fs/promises';
import type { Storage } from '../db/storage.ts';
import { startApply } from '../features/imports/apply.service.ts';
import { DEFAULT_RULES, type ImportQuery, importQuery } from '../features/imports/import.schema.ts';
import { getImport } from '../features/imports/import.service.ts';
import type { ImportView } from '../features/imports/import.view.ts';
import type { Mapping } from '../features/imports/mapping.ts';
import { reportCsv } from '../features/imports/report.ts';
import { startUndo } from '../features/imports/undo.service.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { getSettings } from '../features/workspaces/settings.service.ts';
import { type Command, inWorkspace, type ParsedArgs, readCountry, readField, UsageError } from './command.ts';
import { formatFile, formatImport, importCommandLine } from './import.output.ts';
import { planImport, runImport, STANDARD_INPUT } from './import.run.ts';
import { printError, printText, writeAll } from './output.ts';

/** The last `=` separates column and field: a column name may contain `=`, a field name never does. */
const parseColumnMapping = (pairs: string[]): Mapping =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at < 1) throw new UsageError(`--map must have the form "Column=field", not ${pair}.`);
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim() || null];
    }),
  );

/** The options that are parameters of the service: `--on-existing` is `on_existing`. */
const readParameters = (args: ParsedArgs): ImportQuery =>
  Object.fromEntries(
    Object.entries(importQuery.fields).flatMap(([name, field]) => {
      const option = name.replaceAll('_', '-');
      const text = args.text(option);
      if (text === undefined || name === 'country') return [];
      return [[name, readField(option, field, name === 'encoding' ? text.toLowerCase() : text)]];
    }),
  );

/** Undefined for the standard input. */
const sizeOf = async (file: string): Promise<number | undefined> => {
  if (file === STANDARD_INPUT) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (!found) throw new UsageError(`Cannot read ${file}. Check the path and its permissions.`);
  if (found.isDirectory()) throw new UsageError(`${file} is a folder. Choose a file.`);
  return found.size;
};

const START = { apply: startApply, undo: startUndo } as const;
const RUNNING_STATE = { apply: 'applying', undo: 'undoing' } as const;

/** Applies or undoes an import, or resumes an interrupted one. */
const applyOrUndo =
  (action: 'apply' | 'undo') =>
  async (storage: Storage, principal: Principal, id: string, args: ParsedArgs): Promise<void> => {
    const { state } = await storage.run(getImport, principal, { id });
    if (state !== RUNNING_STATE[action]) await storage.run(START[action], principal, { id });
    const view = await runImport(storage, principal, id, RUNNING_STATE[action]);
    const workspace = args.text('workspace');
    if (view.state === RUNNING_STATE[action]) {
      process.exitCode = 130;
      printError(
        `Stopped after ${view.progress.toLocaleString('en')} of ${view.rows.toLocaleString('en')} rows. A running service resumes the import. To resume it here: ${importCommandLine(action, id, workspace)}\n`,
      );
    }
    const next =
      view.state === 'applied'
        ? `\nTo undo it within 30 days: ${importCommandLine('undo', id, workspace)}`
        : '';
    args.print(view, (await formatImport(storage, principal, view)) + reportHint(view, workspace) + next);
  };

const reportHint = ({ id, totals }: ImportView, workspace: string | undefined): string =>
  totals.invalid || totals.with_warnings || totals.duplicate_in_file || totals.edited_since
    ? `\nTo see every row and its result: ${importCommandLine('show', id, workspace)} --report`
    : '';

const importFile = async (args: ParsedArgs): Promise<void> => {
  const [file = ''] = args.operands;
  // The arguments are validated before the database is opened.
  const size = await sizeOf(file);
  const chosen = readCountry(args.text('country'));
  const { encoding, header_row, sheet, create_fields, ...rules } = readParameters(args);
  const mapping = parseColumnMapping(args.list('map'));
  const workspace = args.text('workspace');
  await inWorkspace(workspace, async (storage, principal) => {
    const country = chosen ?? (await storage.run(getSettings, principal, null)).default_country;
    const options = { ...DEFAULT_RULES, ...rules, country };
    const choices = { encoding, header_row, sheet };
    const request = { file, ...(size !== undefined && { size }), options, choices, mapping, create_fields };
    const { view, isInterrupted } = await planImport(storage, principal, request);
    if (isInterrupted) process.exitCode = 130;
    if (!view) return printError('Stopped while reading the file. Nothing was stored.\n');
    if (!args.flag('plan') && !isInterrupted) {
      if (!args.json) printText(formatFile(view));
      return applyOrUndo('apply')(storage, principal, view.id, args);
    }
    const summary = formatFile(view) + (await formatImport(storage, principal, view));
    const next = `\nNo contact was changed. To apply the import: ${importCommandLine('apply', view.id, workspace)}`;
    return args.print(view, summary + reportHint(view, workspace) + next);
  });
};

const show = async (storage: Storage, principal: Principal, id: string, args: ParsedArgs): Promise<void> => {
  const view = await storage.run(getImport, principal, { id });
  if (args.flag('report')) return writeAll(process.stdout, reportCsv(storage, principal, view));
  const summary = formatFile(view) + (await formatImport(storage, principal, view));
  return args.print(view, summary + reportHint(view, args.text('workspace')));
};

/** A form for one import. */
const withImport =
  (work: (storage: Storage, principal: Principal, id: string, args: ParsedArgs) => Promise<void>) =>
  (args: ParsedArgs): Promise<void> =>
    inWorkspace(args.text('workspace'), (storage, principal) =>
      work(storage, principal, args.operands[0] ?? '', args),
    );

export const importCommand: Command = {
  forms: {
    [`roster import FILE [--workspace W] [--country US] [--on-existing skip|fill|overwrite] [--tags merge|replace]
                   [--on-invalid omit_field|reject_row] [--on-invalid-email omit_field|reject_row]
                   [--on-duplicate first|last|fill] [--crm NAME] [--campaign-id ID] [--map "Column=field"]… [--create-fields JSON] [--encoding E]
                   [--header-row N] [--sheet NAME] [--legacy] [--plan] [--json]`]: [
      'Plans the import of a CSV file or an .xlsx workbook, prints the plan, and applies it. FILE - is the standard input.',
      importFile,
    ],
    'roster import show ID [--report] [--workspace W] [--json]': [
      "Shows an import's status.",
      withImport(show),
    ],
    'roster import apply ID [--workspace W] [--json]': [
      'Applies a planned import, or resumes one that was interrupted.',
      withImport(applyOrUndo('apply')),
    ],
    'roster import undo ID [--workspace W] [--json]': [
      'Undoes an applied import within 30 days.',
      withImport(applyOrUndo('undo')),
    ],
  },
  options: {
    country: "Country for phone numbers without a country code, such as US. Default: the workspace's.",
    'on-existing': 'For an existing contact: skip it, fill empty fields, or overwrite fields. Default: fill.',
    tags: 'Merge the tags of an existing contact with those of the row, or replace them. Default: merge.',
    'on-invalid':
      'For an invalid optional cell: omit_field with a warning, or reject_row. Default: omit_field.',
    'on-invalid-email': 'The same for an invalid email address. Default: as --on-invalid.',
    'on-duplicate':
      'For several rows with one number: import the first, the last, or the first with values that only later ones have (fill). Default: first.',
    crm: 'Name of the CRM whose ids are in the column mapped to crm_ids.',
    'campaign-id':
      'Campaign in which the contacts are enrolled. Map columns to variables.<name> for its variables.',
    encoding: 'Encoding of the file, such as windows-1251. Default: detected.',
    'header-row': 'Line of the column names; 0 if there is none. Default: detected.',
    sheet: 'Sheet of a workbook. Default: the first visible sheet with content.',
    map: 'Field of a column, as "Column=field"; "Column=" ignores the column. Column is a name or an index, counted from 0. Repeatable.',
    'create-fields':
      'Contact fields to create from columns, for example {"Plan": {"key": "plan", "label": "Plan", "type": "text"}}.',
    legacy: 'Keep numbers that cannot be converted to international format.',
    plan: 'Plan the import without applying it.',
    report: 'Print every row and its result as CSV.',
  },
};
