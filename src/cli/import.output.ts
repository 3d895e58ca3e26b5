import type { Storage } from '../db/storage.ts';
import type { Effect, Verdict } from '../features/imports/import.schema.ts';
import { listRows, type RowView } from '../features/imports/import.service.ts';
import type { ImportView } from '../features/imports/import.view.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { PROGRAM } from '../lib/executable.ts';
import { shellQuote, table } from './command.ts';

const LABELS: Record<
  Verdict | Effect | 'with_warnings' | 'enrolled' | 'unenrolled' | 'still_enrolled',
  string
> = {
  create: 'to create',
  update: 'to update',
  unchanged: 'unchanged',
  duplicate_in_file: 'duplicates in the file, skipped',
  invalid: 'invalid, skipped',
  with_warnings: 'with warnings (invalid cells are skipped)',
  created: 'created',
  updated: 'updated',
  none: 'unchanged',
  removed: 'removed',
  restored: 'restored',
  edited_since: 'skipped, because the contact was changed after the import, or someone had claimed it',
  enrolled: 'enrolled in the campaign',
  unenrolled: 'removed from the campaign',
  still_enrolled: 'still enrolled, because someone has claimed them',
};

const PROBLEM_COUNTS = ['duplicate_in_file', 'invalid', 'with_warnings'] as const;
const COUNTS_BY_STATE: Partial<Record<ImportView['state'], readonly (keyof typeof LABELS)[]>> = {
  applied: ['created', 'updated', 'none', 'enrolled', ...PROBLEM_COUNTS],
  undone: ['removed', 'restored', 'edited_since', 'none', 'unenrolled', 'still_enrolled', ...PROBLEM_COUNTS],
};
const PLANNED_COUNTS = ['create', 'update', 'unchanged', ...PROBLEM_COUNTS] as const;

const MAX_PROBLEMS = 5;

const COUNTRY_HINT = 'To read national numbers, choose a country, for example --country US.';

/** The first skipped rows, with reasons. */
const formatProblems = async (storage: Storage, principal: Principal, view: ImportView) => {
  const { id, state, totals } = view;
  const query = state === 'undone' ? { effect: 'edited_since' as const } : { verdict: 'invalid' as const };
  const count = totals[query.effect ?? query.verdict ?? ''] ?? 0;
  if (count === 0) return '';
  const { json } = await storage.run(listRows, principal, { id, ...query, limit: MAX_PROBLEMS });
  const lines = (JSON.parse(`[${json}]`) as RowView[]).map(({ line, field, reason, contact_id }) =>
    reason ? `Line ${line}: ${field} ${reason}` : `Line ${line}: ${contact_id ?? 'the contact was deleted.'}`,
  );
  const more = count - lines.length;
  if (more > 0) lines.push(`and ${more.toLocaleString('en')} more.`);
  const needsCountry = view.options.country === null && lines.some((line) => line.includes('country code'));
  return `\n\n${[...lines, ...(needsCountry ? [COUNTRY_HINT] : [])].join('\n')}`;
};

/** A command for this import that can be copied into a terminal. */
export const importCommandLine = (action: string, id: string, workspace: string | undefined): string =>
  `${PROGRAM} import ${action} ${id}${workspace === undefined ? '' : ` --workspace ${shellQuote(workspace)}`}`;

/** The counts of an import, and its first rows with problems. */
export const formatImport = async (storage: Storage, principal: Principal, view: ImportView) => {
  const names = COUNTS_BY_STATE[view.state] ?? PLANNED_COUNTS;
  const rows = names.flatMap((name) => {
    const count = view.totals[name] ?? 0;
    return count > 0 ? [[count.toLocaleString('en'), LABELS[name]]] : [];
  });
  const title = `${view.name}: ${view.state}, ${view.rows.toLocaleString('en')} ${view.rows === 1 ? 'row' : 'rows'}.`;
  return `${title}\n\n${table(['ROWS', ''], rows)}${await formatProblems(storage, principal, view)}\n`;
};

const formatReading = ({ file }: ImportView): string => {
  if (!file) return '';
  const header = file.header_row === null ? 'no header row' : `header in line ${file.header_row}`;
  if (file.sheet !== null) return `Sheet: ${file.sheet}, ${header}.\n\n`;
  const text = `Encoding: ${file.encoding} (${file.encoding_source}), ${header}.\n`;
  return file.encoding_source === 'guessed'
    ? `${text}The encoding is a guess. If names look wrong, import the file again with --encoding.\n\n`
    : `${text}\n`;
};

/** How the file was read, and the field of each column. */
export const formatFile = (view: ImportView): string => {
  const columns = view.columns as { name: string; field: string | null }[];
  const rows = columns.map(({ name, field }) => [name, field ?? '-']);
  return `${formatReading(view)}${table(['COLUMN', 'FIELD'], rows)}\n\n`;
};
