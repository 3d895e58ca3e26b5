import type { Storage } from '../db/storage.ts';
import type { Effect, Verdict } from '../features/imports/import.schema.ts';
import { type ImportView, listRows, type RowView } from '../features/imports/import.service.ts';
import type { Principal } from '../features/workspaces/principal.ts';
import { quoted, table } from './command.ts';

/** What a verdict, an effect or a warning says of its rows. */
const MEANINGS: Record<Verdict | Effect | 'with_warnings', string> = {
  create: 'to create',
  update: 'to update',
  unchanged: 'unchanged',
  duplicate_in_file: 'twice in the file, skipped',
  invalid: 'invalid, skipped',
  with_warnings: 'of these with warnings: invalid cells were left out',
  created: 'created',
  updated: 'updated',
  none: 'unchanged',
  removed: 'removed again',
  restored: 'restored',
  edited_since: 'skipped, because they were edited since',
};

const left = ['duplicate_in_file', 'invalid', 'with_warnings'] as const;
/** What there is to say of an import, by how far it is. */
const told: Partial<Record<ImportView['state'], readonly (keyof typeof MEANINGS)[]>> = {
  applied: ['created', 'updated', 'none', ...left],
  undone: ['removed', 'restored', 'edited_since', 'none', ...left],
};
const untilApplied = ['create', 'update', 'unchanged', ...left] as const;

const SHOWN = 5;

const NO_COUNTRY = 'National numbers are read with a country: --country US, for example.';

/** Some rows that were left out or left alone, and why. */
const problemsOf = async (storage: Storage, principal: Principal, view: ImportView) => {
  const { id, state, totals } = view;
  const query = state === 'undone' ? { effect: 'edited_since' as const } : { verdict: 'invalid' as const };
  const count = totals[query.effect ?? query.verdict ?? ''] ?? 0;
  if (count === 0) return '';
  const { json } = await storage.run(listRows, principal, { id, query: { ...query, limit: SHOWN } });
  const lines = (JSON.parse(`[${json}]`) as RowView[]).map(({ line, field, reason, contact_id }) =>
    reason ? `Line ${line}: ${field} ${reason}` : `Line ${line}: ${contact_id ?? 'the contact was deleted.'}`,
  );
  const more = count - lines.length;
  if (more > 0) lines.push(`and ${more.toLocaleString('en')} more.`);
  const lacksCountry = view.options.country === null && lines.some((line) => line.includes('country code'));
  return `\n\n${[...lines, ...(lacksCountry ? [NO_COUNTRY] : [])].join('\n')}`;
};

/** A command about an import, as it can be typed. */
export const nextCommand = (action: string, id: string, workspace: string | undefined): string =>
  `npx roster import ${action} ${id}${workspace === undefined ? '' : ` --workspace ${quoted(workspace)}`}`;

/** An import in words: its rows counted, and some of those that need a look. */
export const wordsOf = async (storage: Storage, principal: Principal, view: ImportView): Promise<string> => {
  const names = told[view.state] ?? untilApplied;
  const rows = names.flatMap((name) => {
    const count = view.totals[name] ?? 0;
    return count > 0 ? [[count.toLocaleString('en'), MEANINGS[name]]] : [];
  });
  const title = `${view.name} is ${view.state}: ${view.rows.toLocaleString('en')} ${view.rows === 1 ? 'row' : 'rows'}.`;
  return `${title}\n\n${table(['ROWS', ''], rows)}${await problemsOf(storage, principal, view)}\n`;
};

/** How the file was read; asks for a look where that is a guess. */
export const fileWords = ({ file }: ImportView): string => {
  if (!file) return '';
  const header =
    file.header_row === null ? 'no line of column names' : `column names in line ${file.header_row}`;
  if (file.sheet !== null) return `Sheet: ${file.sheet}, ${header}.\n\n`;
  const words = `Encoding: ${file.encoding} (${file.encoding_source}), ${header}.\n`;
  return file.encoding_source === 'guessed'
    ? `${words}The encoding is a guess. If names look wrong, import the file again with --encoding.\n\n`
    : `${words}\n`;
};

/** Which column was taken for what. */
export const columnWords = ({ columns }: ImportView): string =>
  table(
    ['COLUMN', 'FIELD'],
    (columns as { name: string; field: string | null }[]).map(({ name, field }) => [name, field ?? '-']),
  );
